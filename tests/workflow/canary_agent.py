"""An agent that says its secrets wherever anything can be said; the workflow's tests look for them afterwards."""

import os
import sys
from typing import Any

VERSION = 1

SPREAD = """async ([password, token]) => {
  const said = {password, note: `the token is ${token}`, list: [token]}
  const headers = {Authorization: `Bearer ${token}`, 'X-Say': token, 'Content-Type': 'application/json'}
  await fetch('/echo?token=' + token + '&plain=' + token).then(answer => answer.text())
  await fetch('/post', {method: 'POST', headers, body: JSON.stringify(said)}).then(answer => answer.text())
  await fetch('/binary', {method: 'POST', body: token + password}).then(answer => answer.blob())
  for (const secret of [password, token])
    await fetch('/written', {method: 'POST', body: secret}).then(answer => answer.text())
  await new Promise(done => {
    const socket = new WebSocket('ws://' + location.host + '/socket?token=' + token)
    let left = 2
    socket.onmessage = () => { if (!--left) { socket.close(); done() } }
    socket.onopen = () => { socket.send(token + password); socket.send(new TextEncoder().encode(token)) }
  })
  console.log(token)
  document.title = token
  history.pushState({}, '', '?seen=' + token)
}"""


class Agent:
    def solve(self, task: Any, session: Any) -> str:
        password, token = os.environ["WEBARENA_REDDIT_PASSWORD"], os.environ["CANARY_BEARER_TOKEN"]
        session.start()
        session.type("input[name=_username]", "ann")
        session.type("input[name=_password]", password, f"The password is {password}")
        session.click("button[name=go]")
        session.page.evaluate(SPREAD, [password, token])
        reply = session.ask("Agent", [{"role": "user", "content": f"Is {token} right, or {password}?"}])
        session.log.info("said %s and %s", token, reply.text)
        print(token, password, reply.text, flush=True)
        print(token, password, reply.text, file=sys.stderr, flush=True)
        if task.task_id == "fails":
            raise RuntimeError(f"{token} {password} {reply.text}")
        return f"{token} {password} {reply.text}"
