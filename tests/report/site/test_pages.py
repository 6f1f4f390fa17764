"""The site as people meet it: a real browser, offline, from `file://`."""

import re
import shutil
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.report.site import made
from webassay.config.paths import ExperimentPlan
from webassay.report.experiment import Numbers
from webassay.report.sheet import escaped
from webassay.report.site.verdicts import state_of

pytestmark = pytest.mark.usefixtures("numbers")


def site(experiment: ExperimentPlan) -> Path:
    return experiment.folder / "report"


def trajectory(experiment: ExperimentPlan, system: str, task: str) -> Path:
    (found,) = site(experiment).glob(f"t/{system}-*/{task}.html")
    return found


def test_no_page_complains_or_asks_elsewhere_and_every_link_leads_somewhere(
    experiment: ExperimentPlan, chromium: Browser
) -> None:
    pages = [site(experiment) / name for name in ("index.html", "tasks.html", "compare.html")]
    pages += sorted(site(experiment).glob("t/*/*.html"))
    assert len(pages) == 3 + 2 * len(made.TASKS)
    with made.reader(chromium) as reader:
        for path in pages:
            page = reader.open(path, "#tab=files" if path.parent.parent.name == "t" else "")
            files = made.linked(page)
            assert len(files) > 3 and all(map(Path.exists, files)), path
            page.close()
        assert reader.troubles == []


def test_a_link_into_a_trajectory_lands_on_its_step_and_tab(experiment: ExperimentPlan, chromium: Browser) -> None:
    with made.reader(chromium) as reader:
        page = reader.open(trajectory(experiment, "oracle", "alpha-1"), "#step=2&tab=network&event=1")
        assert page.get_by_role("tab", selected=True).inner_text().startswith("network")
        assert page.locator("#where").inner_text() == "2 / 3"
        assert page.evaluate("document.getElementById('shot').naturalWidth") == made.SIZE[0]
        row = page.locator("tr.here")
        assert "POST http://shop/page/1" in row.inner_text() and "decided network.0" in row.inner_text()
        page.keyboard.press("ArrowRight")
        assert "step=3" in page.url
        page.keyboard.press("1")
        assert "thought 3" in page.locator("#panel").inner_text()
        page.keyboard.press("ArrowLeft")
        assert "http://shop/page/1" in page.locator("#panel .requests").inner_text()  # a request of this step only
        assert page.locator("#panel .requests tbody tr").count() == 1


@pytest.mark.parametrize("width", [1400, 600])
def test_the_mark_is_where_the_agent_clicked(experiment: ExperimentPlan, chromium: Browser, width: int) -> None:
    with made.reader(chromium, viewport={"width": width, "height": 900}) as reader:
        page = reader.open(trajectory(experiment, "oracle", "alpha-1"), "#step=2")
        page.wait_for_selector("#overlay circle.dot", state="attached")
        image, dot = page.locator("#shot").bounding_box(), page.locator("#overlay .dot").bounding_box()
        assert image and dot
        for axis, side, place in (("x", "width", 0), ("y", "height", 1)):
            centre = dot[axis] + dot[side] / 2 - image[axis]
            assert centre == pytest.approx(made.POINT[place] * image[side] / made.SIZE[place], abs=1)


def counted(page: Page) -> tuple[int, int]:
    words = page.locator("#count").inner_text().split()
    return int(words[0]), int(words[4])


def test_each_filter_counts_what_pandas_counts(experiment: ExperimentPlan, numbers: Numbers, chromium: Browser) -> None:
    scores = numbers.scores.copy()
    scores["state"] = [state_of(*row) for row in scores[["execution", "verification", "score"]].itertuples(index=False)]
    first = scores[scores["judge"] == "first"]
    split = scores.groupby(["run", "task_id"])["state"].nunique().reset_index()
    split = split[split["state"] > 1]
    hard = first[first["task_id"].isin([task.task_id for task in made.TASKS if task.difficulty == "hard"])]
    wanted: dict[str, pd.DataFrame] = {
        "": first,
        "disagree=1": split,
        "site=wiki": first[first["sites"].str.contains("wiki")],
        "template=beta": first[first["template"] == "beta"],
        "difficulty=hard": hard,
        "q=alpha": first[first["task_id"].str.startswith("alpha")],
        "run=1": first[first["system"] == "naive_na"],
        "run=1&failure=agent%3A+network.0": first[(first["system"] == "naive_na") & (first["state"] == "failed")],
        "run=1&state=failed&judge=1": scores[(scores["judge"] == "second") & (scores["state"] == "failed")],
        "difficulty=hard&state=passed": hard[hard["state"] == "passed"],
    }
    wanted |= {f"state={state}": first[first["state"] == state] for state in first["state"].unique()}
    wanted |= {f"state={word}": first[first["verification"] == word] for word in ("scored", "ungraded")}  # as tables do
    assert {"passed", "failed", "ungraded", "aborted", "auto_zero"} <= set(first["state"])
    with made.reader(chromium) as reader:
        for fragment, rows in wanted.items():
            page = reader.open(site(experiment) / "tasks.html", f"#{fragment}")
            assert counted(page) == (rows["task_id"].nunique(), len(rows)), fragment
            assert page.locator("#matrix tbody tr:visible").count() == rows["task_id"].nunique()
            page.close()


def test_many_tasks_are_drawn_as_one_scrolls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chromium: Browser
) -> None:
    monkeypatch.chdir(tmp_path)
    plan = made.planned()
    made.make(plan, [made.a_task(f"t-{number:03}") for number in range(300)], {name: {} for name in made.SAID})
    made.report(plan)
    with made.reader(chromium) as reader:
        page = reader.open(site(plan) / "tasks.html")
        rows = page.locator("#matrix tbody tr")
        assert counted(page)[0] == 300 and rows.count() < 200
        page.locator(".sticky").evaluate("box => box.scrollTo(0, box.scrollHeight)")
        expect(rows).not_to_have_count(80)
        page.evaluate("leave()")  # as the live view does
        expect(page.get_by_role("button", name="Draw all 300 rows")).to_be_visible()
        expect(rows).not_to_have_count(80)
        assert page.locator(".sticky").evaluate("box => box.scrollTop") > 3000
        page.get_by_role("button", name="Draw all 300 rows").click()
        assert rows.count() == 300 and page.get_by_role("button", name="Draw all").count() == 0
        page.get_by_label("Text").fill("t-299")
        page.wait_for_url("**#q=t-299")
        assert rows.count() == 1 and reader.troubles == []


def test_a_filter_by_hand_is_kept_in_the_address(experiment: ExperimentPlan, chromium: Browser) -> None:
    with made.reader(chromium) as reader:
        page = reader.open(site(experiment) / "tasks.html")
        page.get_by_label("Site").select_option("wiki")
        page.get_by_label("Text").fill("nothing like it")
        page.wait_for_url("**#site=wiki&q=nothing+like+it")
        assert page.locator("#none").is_visible() and counted(page) == (0, 0)
        page.locator("#clear").click()
        page.wait_for_url(lambda url: "#" not in url)
        assert counted(page)[0] == len(made.TASKS)


def test_numbers_on_the_page_are_those_of_the_files(
    experiment: ExperimentPlan, numbers: Numbers, chromium: Browser
) -> None:
    with made.reader(chromium) as reader:
        page = reader.open(site(experiment) / "index.html")
        for name, sheet in numbers.sheets.items():
            page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
            cells = page.locator(f"#{name} tbody tr").evaluate_all(
                "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
            )
            assert cells == sheet.shown.astype(str).to_numpy().tolist(), name
            latex = (experiment.folder / "tables" / f"{name}.tex").read_text()
            assert all(escaped(cell) in latex for row in cells for cell in row), name
            for form, label in (("csv", "CSV"), ("md", "Markdown"), ("tex", "LaTeX")):
                copied = page.evaluate(f"document.getElementById('{name}-{label}').content.textContent")
                assert copied == (experiment.folder / "tables" / f"{name}.{form}").read_text()


def test_two_runs_side_by_side(experiment: ExperimentPlan, chromium: Browser) -> None:
    with made.reader(chromium) as reader:
        page = reader.open(site(experiment) / "compare.html", "#a=0&b=1&judge=0&show=lost")
        assert "only oracle passes 4, only naive_na passes 0" in page.locator("#count").inner_text()
        rows = page.locator("#flips tbody tr")
        assert rows.count() == 4 and "step 3" in rows.first.inner_text()  # the answers differ, and nothing before them
        assert "said fail" in rows.first.inner_text()
        split = page.locator(
            "#flips tbody tr", has_text="alpha-2"
        )  # the second judge's reason is no reason of the first's
        assert split.count() == 0
        page.get_by_label("Show").select_option("all")
        assert "said" not in split.inner_text()
        page.get_by_label("Show").select_option("lost")
        rows.first.get_by_role("link").nth(1).click()
        page.wait_for_url("**/alpha-1.html#step=3*")


def test_verdict_and_evidence_lead_to_each_other(experiment: ExperimentPlan, chromium: Browser) -> None:
    with made.reader(chromium) as reader:
        page = reader.open(trajectory(experiment, "naive_na", "alpha-1"), "#tab=verdicts")
        assert page.locator("#panel article").count() == 2
        page.get_by_role("button", name="network.har#1").first.click()
        assert page.locator("tr.here#event-1").is_visible()
        chips = page.locator("#event-1 .chip")
        assert chips.all_inner_texts() == ["✗ decided network.0 (first)", "✗ decided network.0 (second)"]
        chips.nth(1).press("Enter")
        assert page.locator("li.here").inner_text().startswith("✗ network.0")
        assert page.evaluate("document.activeElement.id").startswith("check-second")
        page.get_by_role("button", name="state.json#after.rows[0]").first.press("Enter")
        assert page.evaluate("document.activeElement.id") == "state-after.rows[0]"
        assert page.locator("li.here").inner_text() == "[1]"
        page.get_by_role("tab", name="state").click()
        assert page.locator("#state-changes tbody tr").evaluate(
            "row => [...row.cells].map(cell => cell.textContent)"
        ) == ["orders", "update", "7", "note", "old", "new"]


def test_two_judges_of_one_request_each_have_their_say(experiment: ExperimentPlan, chromium: Browser) -> None:
    with made.reader(chromium) as reader:
        page = reader.open(trajectory(experiment, "naive_na", "alpha-2"), "#tab=network")
        chips = page.locator("#event-1 .chip")
        assert chips.all_inner_texts() == ["✓ decided network.0 (first)", "✗ decided network.0 (second)"]
        page.locator("#event-2").get_by_role("button", name="3").press("Enter")  # to its step; the focus is not lost
        assert page.locator("#where").inner_text() == "3 / 3" and page.evaluate("document.activeElement.id") == "panel"
        assert page.locator("#strip [aria-current]").evaluate_all("all => all.map(one => one.ariaCurrent)") == ["step"]
        assert page.get_by_text("3.5 s · 100 tokens in, 7 out, 2 calls").is_visible()


def test_numbers_lead_to_the_attempts_that_they_count(experiment: ExperimentPlan, chromium: Browser) -> None:
    with made.reader(chromium) as reader:
        index = reader.open(site(experiment) / "index.html")
        found = index.eval_on_selector_all(
            "td a[href^='tasks.html']",
            "all => all.map(one => [one.closest('section').id, one.textContent, one.getAttribute('href')])",
        )
        assert {"summary", "sites", "templates", "failures", "judges"} <= {section for section, _, _ in found}
        for section, text, href in found:
            page = reader.open(site(experiment) / "tasks.html", href.partition("tasks.html")[2])
            count = re.search(r"(?:n=|of |^(?=\d+$))(\d+)", text)
            assert count or text in ("oracle", "naive_na"), (section, text)  # a run's name: all of its attempts
            assert counted(page)[1] == int(count[1] if count else len(made.TASKS)), (section, text, href)
            page.close()


@pytest.mark.parametrize(
    "name, fragment, said",
    [
        ("tasks", "#site=nosuch&state=passed", "No such site: nosuch."),
        ("tasks", "#judge=7", "No such judge: 7."),
        ("compare", "#a=9&b=1", "No such run: 9."),
        ("compare", "#a=1&b=1&judge=0&show=all", "This is one run beside itself"),
    ],
)
def test_an_address_of_what_is_not_there_is_told(
    experiment: ExperimentPlan, chromium: Browser, name: str, fragment: str, said: str
) -> None:
    with made.reader(chromium) as reader:
        page = reader.open(site(experiment) / f"{name}.html", fragment)
        assert said in page.locator("#none").inner_text()
        assert page.locator("#matrix tbody tr:visible").count() == 0 and page.url.endswith(fragment)
        if name == "tasks":
            assert counted(page) == (0, 0)
            page.locator("#clear").click()
            expect(page.locator("#count")).to_have_text("5 of 5 tasks, 10 attempts")
        assert reader.troubles == []


@pytest.mark.parametrize("name", ["tasks", "compare", "trajectory"])
def test_a_page_without_its_data_says_which_file_it_lacks(
    experiment: ExperimentPlan, chromium: Browser, tmp_path: Path, name: str
) -> None:
    shutil.copytree(site(experiment), tmp_path / "report")
    path = tmp_path / "report" / f"{name}.html"
    path = next((tmp_path / "report").glob("t/oracle-*/alpha-1.html")) if name == "trajectory" else path
    lacking = path.with_suffix(".js") if name == "trajectory" else path.with_name("data.js")
    lacking.unlink()
    with made.reader(chromium) as reader:
        page = reader.open(path)
        assert page.get_by_role("alert").inner_text().startswith(f"{lacking.name} is missing beside this page")
        assert all("ERR_FILE_NOT_FOUND" in trouble for trouble in reader.troubles)


def test_what_broke_off_says_why(experiment: ExperimentPlan, chromium: Browser) -> None:
    with made.reader(chromium) as reader:
        page = reader.open(trajectory(experiment, "naive_na", "gamma-1"))
        assert "the site was unreachable" in page.locator("#trajectory header").inner_text()
        assert page.locator(".chip.aborted").count() == 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["index.html", "tasks.html", "compare.html", "trajectory"])
def test_axe_finds_nothing_serious(experiment: ExperimentPlan, chromium: Browser, name: str, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    path = trajectory(experiment, "naive_na", "alpha-1") if name == "trajectory" else site(experiment) / name
    tabs = ("step", "network", "state", "verdicts", "attempts", "files")
    states = [f"#step=2&tab={tab}" for tab in tabs] if name == "trajectory" else ["", "#run=1&state=failed"]
    size = {"width": 1280 if scheme == "light" else 390, "height": 800}
    with made.reader(chromium, color_scheme=scheme, bypass_csp=True, viewport=size) as reader:
        for fragment in states if name != "index.html" else [""]:
            page = reader.open(path, fragment)
            page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
            found = Axe().run(page).response["violations"]
            serious = [
                (one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in ("serious", "critical")
            ]
            assert serious == [], fragment
            page.close()


def test_nothing_is_wider_than_a_phone(experiment: ExperimentPlan, chromium: Browser) -> None:
    with made.reader(chromium, viewport={"width": 390, "height": 800}) as reader:
        for path in (
            *(site(experiment) / f"{name}.html" for name in ("index", "tasks", "compare")),
            trajectory(experiment, "oracle", "alpha-1"),
        ):
            page = reader.open(path)
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
