"""Asks a language model for each decision, through a chat-completions endpoint.

The model gets `prompt.txt`, what has happened in the deal, and the answers that are legal. Where it
cannot be reached, is too slow or answers nothing legal, the weakest legal answer is played, and the
note of the answer says why.
"""

import http.client
import json
import os
import re
import socket
import ssl
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

ENDPOINT = urlsplit("http://127.0.0.1:11434/v1/chat/completions")
MODEL = "llama3.2"
KEY = os.environ.get("LLM_API_KEY", "")

TRIES = 3
SPARE_S = 5.0  # of the clock, for the way back
PROMPT = Path("prompt.txt").read_text(encoding="utf-8")


class Unreachable(Exception):
    """It is no use to ask again."""


def connected(host: str, port: int) -> socket.socket:
    """A stream to an address, from the arena: a bot can open no socket itself."""
    if "ARENA_NETWORK" not in os.environ:
        raise Unreachable("no network: the league's file must allow it")
    with socket.socket(fileno=os.dup(int(os.environ["ARENA_NETWORK"]))) as arena:
        arena.send(f"{host}:{port}".encode())
        text, streams, _, _ = socket.recv_fds(arena, 1024, 1)
    if not streams:
        raise OSError(text.decode())
    return socket.socket(fileno=streams[0])


class Connection(http.client.HTTPConnection):
    """HTTP, or HTTPS, over such a stream."""

    def connect(self) -> None:
        self.sock = connected(self.host, self.port)
        self.sock.settimeout(self.timeout)
        if ENDPOINT.scheme == "https":
            secure = ssl.create_default_context()
            self.sock = secure.wrap_socket(self.sock, server_hostname=self.host)


def completed(messages: list[dict], left_s: float) -> str:
    """What the model says next. Raises OSError if another try may help, and Unreachable."""
    port = ENDPOINT.port or (443 if ENDPOINT.scheme == "https" else 80)
    connection = Connection(ENDPOINT.hostname, port, timeout=left_s)
    try:
        body = json.dumps({"model": MODEL, "messages": messages})
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {KEY}"}
        connection.request("POST", ENDPOINT.path, body, headers)
        answer = connection.getresponse()
        text = answer.read().decode(errors="replace")
    except ssl.SSLCertVerificationError as error:
        raise Unreachable(str(error)) from None
    except http.client.HTTPException as error:
        raise OSError(f"{type(error).__name__} {error}") from None
    finally:
        connection.close()
    if answer.status == 429 or answer.status >= 500:
        raise OSError(f"status {answer.status}: {text[:200]}")
    if answer.status != 200:
        raise Unreachable(f"status {answer.status}: {text[:200]}")
    try:
        return str(json.loads(text)["choices"][0]["message"]["content"])
    except (ValueError, LookupError, TypeError):
        raise OSError(f"no chat completion: {text[:200]}") from None


def chosen(text: str, choices: list[str], count: int) -> list[str]:
    """The choices that the end of a text names; none unless there are as many as wanted."""
    words = re.findall(r"\w+", text.rpartition("ANSWER:")[2])
    named = [word for word in dict.fromkeys(words) if word in choices]
    return named if len(named) == count else []


def decide(request: dict, choices: list[str], count: int = 1) -> tuple[list[str], str]:
    """Some of the choices, and a note about them. The last choices are the weakest."""
    wanted = "two of" if count == 2 else "one of"
    question = f"Your hand: {' '.join(request['hand'])}\nAnswer with {wanted}: {' '.join(choices)}"
    messages = [
        {"role": "system", "content": PROMPT},
        {"role": "user", "content": "\n".join([*story, question])},
    ]
    until = time.monotonic() + (request["clock_s"] or 60.0) - SPARE_S
    why = "no time"
    for tried in range(1 if failed else TRIES):
        left_s = until - time.monotonic()
        if left_s <= 0:
            break
        try:
            text = completed(messages, left_s)
        except Unreachable as error:
            why = str(error)
            break
        except OSError as error:
            why = str(error)
            time.sleep(max(0.0, min(2.0**tried, until - time.monotonic())))
            continue
        if found := chosen(text, choices, count):
            failed.clear()
            return found, text[-200:]
        why = f"nothing legal in {text[-200:]!r}"
        again = f"That is not {wanted} {' '.join(choices)}. End with ANSWER: and your answer."
        messages += [{"role": "assistant", "content": text}, {"role": "user", "content": again}]
    failed.append(request["id"])
    return choices[-count:], f"without the model: {why[:200]}"


story: list[str] = []  # of the deal so far, a line for each event
failed: list[int] = []  # the requests since the model's last answer; it is then asked once each


def follow(event: dict) -> None:
    """Add an event to the story."""
    match event["event"]:
        case "deal":
            active = " ".join(map(str, event["active"]))
            story[:] = [f"You are seat {event['seat']}. Seats in order, forehand first: {active}."]
        case "bid":
            story.append(f"Seat {event['seat']} bids {event['bid']}.")
        case "contract" if event["declarer"] is None:
            story.append("All passed: everybody plays alone and should take few tricks.")
        case "contract":
            story.append(f"Seat {event['declarer']} is the declarer: {event['contract']}.")
        case "card":
            story.append(f"Seat {event['seat']} plays {event['card']}.")
        case "trick":
            story.append(f"Seat {event['winner']} takes it: {event['points']} points.")


for line in sys.stdin:
    message = json.loads(line)
    for event in message.get("events", ()):
        follow(event)
    note = None
    match message["type"]:
        case "hello":
            print('{"type": "ready", "protocol": 1}', flush=True)
            continue
        case "blind":
            say = {"blind": False}
        case "bid":
            [bid], note = decide(message, message["legal"][::-1])
            say = {"bid": bid}
        case "talon":
            [choice], note = decide(message, message["legal"][::-1])
            say = {"choice": choice}
        case "discard":
            cards, note = decide(message, message["hand"], 2)
            story.append(f"You discarded {' '.join(cards)}.")
            say = {"cards": cards}
        case "play":
            [card], note = decide(message, message["legal"])
            say = {"card": card}
        case _:
            continue
    answer = {"type": message["type"], "id": message["id"], **say}
    if note:
        answer["note"] = note
    print(json.dumps(answer), flush=True)
