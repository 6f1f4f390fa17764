"""A user's agent, as `system=external` starts it: its own Playwright, and none of our code."""

import json
import os
import sys
from pathlib import Path

from playwright.sync_api import Error, sync_playwright

task = json.loads(Path(os.environ["WEBASSAY_TASK"]).read_text())
way = sys.argv[1]
with sync_playwright() as playwright:
    browser = playwright.chromium.connect_over_cdp(os.environ["WEBASSAY_CDP"])
    page = browser.contexts[0].pages[0]
    if way == "forever":
        while True:
            page.wait_for_timeout(1000)
    if way == "fail":
        sys.exit("I give up")
    if way == "rounds":
        for _ in range(20):
            page.goto(task["start_url"])
            page.wait_for_timeout(300)
    if way == "escape":
        refused = []
        for url in ("file:///etc/hostname", "view-source:file:///etc/hostname"):
            try:
                page.goto(url, timeout=5000)
            except Error:
                refused.append(url)
        for url in ("http://admin.localhost/", "http://elsewhere.example/", sys.argv[2]):
            for where in (page, browser.new_context().new_page()):
                try:
                    where.goto(url, timeout=5000)
                except Error:
                    refused.append(url)
        print(json.dumps({"refused": len(refused)}))
        sys.exit()
    page.fill("#id_q", "tent")
    page.press("#id_q", "Enter")
    page.wait_for_load_state("load")
    price = page.locator(".price_color").first.inner_text()
    answer = json.dumps({"action": "retrieve", "status": "SUCCESS", "results": [price], "error_details": None})
    if way == "write":
        Path(os.environ["WEBASSAY_ANSWER"]).write_text(answer)
        print("chatter")
        browser.close()
    else:
        print(answer)
