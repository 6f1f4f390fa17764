"""browser-use as its users run it, in a Python of its own: `system=external` starts this, without any code of ours."""

import asyncio
import json
import os
from pathlib import Path

QUIET = {"ANONYMIZED_TELEMETRY": "false", "BROWSER_USE_CLOUD_SYNC": "false"}
os.environ |= QUIET | {"SKIP_LLM_API_KEY_VERIFICATION": "true"}

from browser_use import Agent, BrowserSession, ChatOpenAI  # noqa: E402

task = json.loads(Path(os.environ["WEBASSAY_TASK"]).read_text())


async def main() -> None:
    model = ChatOpenAI(model="scripted", base_url=os.environ["SCRIPTED_MODEL"], api_key="none", max_retries=0)
    browser = BrowserSession(cdp_url=task["cdp"], keep_alive=True)
    agent = Agent(
        task=task["intent"],
        llm=model,
        browser_session=browser,
        use_vision=True,
        use_judge=False,
        directly_open_url=False,
        file_system_path=str(Path(os.environ["WEBASSAY_ANSWER"]).parent / "files"),
    )
    history = await agent.run(max_steps=8)
    Path(os.environ["WEBASSAY_ANSWER"]).write_text(history.final_result() or "")
    await browser.stop()


asyncio.run(main())
