"""Sources of every format, small and made by hand in the shapes that the tools write."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

PNG = b"\x89PNG\r\n\x1a\n"
JPEG = b"\xff\xd8\xff\xe0"


def put(path: Path, content: Any) -> Path:
    """Bytes as they are, anything else as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return path


def lines(*events: Any) -> bytes:
    return b"".join(json.dumps(event).encode() + b"\n" for event in events)


FARA = (
    {"message": "Thought #1: Look.\nAction #1: executing tool 'visit_url' with arguments {}", "type": "OtherEvent"},
    {
        "timestamp": "2026-05-01T10:00:00.000001", "source": "FaraAgent", "message": "computer_use( {} )",
        "url": "http://shop/", "action": "computer_use", "type": "OtherEvent",
        "arguments": {"action": "visit_url", "url": "http://shop/a", "thoughts": "Look."},
    },
    {"message": "Observation#1: A page.", "timestamp": "2026-05-01T10:00:01.5", "type": "OtherEvent"},
    {
        "source": "FaraAgent", "message": "", "url": "http://shop/a", "action": "computer_use", "type": "OtherEvent",
        "arguments": {"action": "terminate", "status": "success", "thoughts": "It costs $5."},
    },
)  # fmt: skip


def webeval(root: Path, name: str = "t1") -> Path:
    folder = root / name
    put(folder / "web_surfer.log", lines(*FARA))
    answer = {
        "final_answer": "$5", "screenshots": ["screenshot0.png", "screenshot1.png", "screenshot2.png"],
        "token_usage": {"FaraAgent": {"prompt_tokens": 5, "completion_tokens": 2}},
    }  # fmt: skip
    put(folder / f"{name}_final_answer.json", answer)
    for number in range(3):
        put(folder / f"screenshot{number}.png", PNG + bytes([number]))
    (folder / "screenshot_2.png").symlink_to("screenshot1.png")  # as webeval's evaluator does
    put(folder / "times.json", {"start_time": 10.0, "end_time": 12.5, "duration": 2.5})
    put(folder / "core.log", b"2026-05-01 10:00:00 [INFO] Start\n")
    put(folder / "task_data.json", {"task_id": name, "task_summary": "price", "intent": "How much is it?"})
    put(folder / "scores" / "mmrubric_0.8-5-3.json", {"score": 1, "gpt_response_text": "{}"})
    return folder


def webassay(root: Path, name: str = "t1") -> Path:
    folder = webeval(root, name)
    attempt = {"task_id": name, "task_digest": "d", "attempt": 0, "outcome": "answered"}
    put(folder / "attempt.json", attempt)
    put(folder / "network.har", {"log": {"entries": []}})
    put(folder / "agent_response.json", {"action": "retrieve", "status": "SUCCESS", "results": [5]})
    put(folder / "attempts" / "0" / "web_surfer.log", b"")
    return folder


def om2w(root: Path, name: str = "t1") -> Path:
    folder = root / "data" / name
    record = {
        "task_id": name, "task": "Find the price.", "final_result_response": "It costs $5.",
        "action_history": ['<a id="x -> y"> -> CLICK', "<input> -> TYPE: tent -> B", "look around"],
        "thoughts": ["Go there.", "", "Look."],
    }  # fmt: skip
    put(folder / "result.json", record)
    for number in (0, 1, 2, 10):
        put(folder / "trajectory" / f"{number}_full_screenshot.png", PNG + bytes([number]))
    return folder


def om2w_verdicts(root: Path, name: str = "t1") -> None:
    """Both shapes of a judged results file, and records of others."""
    record = json.loads((root / "data" / name / "result.json").read_text())
    detail = {"response": "Status: success", "predicted_label": 1}
    theirs = detail | {"predicted_label": 0}
    other = record | {"action_history": ["another agent's"], "evaluation_details": theirs, "predicted_label": 0}
    written = record | {"evaluation_details": detail, "predicted_label": 1}
    put(root / "judged" / "WebJudge_o4-mini_score_threshold_3_auto_eval_results.json", lines(other, written))
    listed = [{"response": ["Status: failure"], "predicted_label": 0}]
    published = {"task_id": name, "confirmed_task": "Find the price.", "final_eval": 0, "evaluation_details": listed}
    put(root / "judged" / "agente_results.json", lines(published) + b"{broken\n")
    unjudged = record | {"evaluation_details": {"response": "", "predicted_label": None}}
    put(root / "judged" / "none_auto_eval_results.json", lines(unjudged))


WEBVOYAGER_REPLIES = (
    "Thought: Search for it [there].\n\nAction: Type [8]; [a tent]",
    "Thought: Down.\nAction: Scroll [WINDOW]; down",
    "Thought: Click.\nAction: Click [17]",
    "I shall think.",
    "Thought: Found.\nAction: ANSWER; It costs [$5] here.",
)


def webvoyager(root: Path, name: str = "Shop--1") -> Path:
    folder = root / f"task{name}"
    first = (
        "Now given a task: Find the price.  Please interact with https://shop.test/ and get the answer. \nObservation:"
    )
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,{b64_img}"}}
    messages: list[Any] = [{"role": "system", "content": "You browse."}]
    messages.append({"role": "user", "content": [{"type": "text", "text": first}, picture]})
    for reply in WEBVOYAGER_REPLIES:
        messages += [{"role": "assistant", "content": reply}, {"role": "user", "content": "Observation: omitted"}]
    put(folder / "interact_messages.json", messages[:-1])
    for number in (1, 2, 3, 10, 11):
        put(folder / f"screenshot{number}.png", PNG + bytes([number]))
    put(folder / "screenshot1_no_box.png", PNG + b"no box")
    return folder


def agentlab(root: Path, name: str = "2025-01-01_10-00-00_GenericAgent-gpt-4o_on_webarena.310_7") -> Path:
    folder = root / name
    codes = ["click('12')", "fill('3', 'tent')", 'send_msg_to_user("It costs $5 (now).")']
    for number, code in enumerate(codes):
        seen = {"url": f"http://shop/{number}", "goal": "Find the price.", "last_action_error": "x" * (number == 1)}
        profile = {"env_start": 100.0 + number, "agent_start": 100.2 + number, "agent_stop": 100.5 + number}
        info = {"think": f"thought {number}", "stats": {}}
        step = {"step": number, "obs": seen, "action": code, "agent_info": info, "profiling": profile, "reward": 0}
        put(folder / f"step_{number}.json", step)
        put(folder / f"screenshot_step_{number}.jpg", JPEG + bytes([number]))
    put(folder / "step_3.json", {"step": 3, "obs": {"url": "http://shop/3"}, "action": None, "terminated": True})
    summary = {
        "n_steps": 3, "cum_reward": 1.0, "err_msg": None, "terminated": True, "truncated": False,
        "stats.cum_input_tokens": 70, "stats.cum_output_tokens": 9,
    }  # fmt: skip
    put(folder / "summary_info.json", summary)
    put(folder / "package_versions.txt", b"aiohttp==3.0\nagentlab==0.4.1\n")
    put(folder / "step_0.pkl.gz", b"\x1f\x8b not to be opened")
    put(folder / "exp_args.pkl", b"cos\nsystem\n(S'touch /tmp/owned'\ntR.")
    return folder


def reward_bench(root: Path, name: str = "webarena.310") -> Path:
    """AgentRewardBench's one file for a run, with its pictures in a tree of their own."""
    picture = f"trajectories/screenshots/webarena/agent/{name}/screenshot_step_0.png"
    put(root / picture, PNG + b"0")
    steps = [
        {"num": 0, "action": "click('1')", "reasoning": "Look.", "url": "http://shop/", "screenshot_path": picture},
        {"num": 1, "action": "report_infeasible('no such thing')", "reasoning": None, "screenshot_path": "gone.png"},
    ]
    summary = {"cum_reward": 0, "err_msg": None, "terminated": True, "truncated": False}
    record = {"benchmark": "webarena", "goal": "Find it.", "agent": "a", "steps": steps, "summary_info": summary}
    return put(root / "cleaned" / f"{name}.json", record)


def webarena_verified(root: Path, name: str = "42") -> Path:
    folder = root / name
    put(folder / "agent_response.json", {"task_type": "RETRIEVE", "status": "SUCCESS", "retrieved_data": [5]})
    put(folder / "network.har", {"log": {"entries": []}})
    put(folder / ("a" * 40 + ".json"), b"{}")
    put(folder / "eval_result.json", {"webarena_verified_version": "1.2.3", "score": 1.0})
    return folder


def atif(root: Path, name: str = "t1") -> Path:
    folder = root / name / "agent"
    picture = {"type": "image", "source": {"media_type": "image/png", "path": "images/1.png"}}
    page = {"type": "text", "text": "A page."}
    steps = [
        {"step_id": 1, "source": "system", "message": "You browse."},
        {"step_id": 2, "source": "user", "message": "Find the price.", "timestamp": "2026-01-01T00:00:00Z"},
        {
            "step_id": 3, "source": "agent", "message": "I look.", "reasoning_content": "Why not.",
            "timestamp": "2026-01-01T00:00:05Z", "model_name": "m",
            "tool_calls": [
                {"tool_call_id": "1", "function_name": "visit_url", "arguments": {"url": "http://shop/"}},
                {"tool_call_id": "2", "function_name": "wait", "arguments": {}},
            ],
            "observation": {"results": [{"source_call_id": "1", "content": [page, picture]}]},
        },
        {"step_id": 4, "source": "agent", "message": "copied", "is_copied_context": True},
        {"step_id": 5, "source": "agent", "message": "It costs $5.", "timestamp": "2026-01-01T00:00:07+00:00"},
    ]  # fmt: skip
    record = {
        "schema_version": "ATIF-v1.6", "session_id": "s", "agent": {"name": "terminus", "version": "2.0"},
        "steps": steps, "final_metrics": {"total_prompt_tokens": 7, "total_completion_tokens": 3},
    }  # fmt: skip
    put(folder / "trajectory.json", record)
    put(folder / "images" / "1.png", PNG + b"1")
    return folder


MAKERS: dict[str, Callable[[Path], Path]] = {
    "webeval": webeval,
    "webassay": webassay,
    "om2w": om2w,
    "webvoyager": webvoyager,
    "agentlab": agentlab,
    "webarena_verified": webarena_verified,
    "atif": atif,
}
