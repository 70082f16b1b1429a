"""A gateway in FastAPI with planted bugs, in front of nova serve: what a Python team might have written.

    uvicorn gateway:app --port 8000

BACKEND is the URL of nova serve, BUGS the names of the bugs, separated by commas.
"""
import json
import os
from contextlib import asynccontextmanager

import httpx
from fastapi import FastAPI, Request, Response
from fastapi.responses import StreamingResponse

BACKEND = os.environ["BACKEND"]
BUGS = set(filter(None, os.environ.get("BUGS", "").split(",")))
# Headers of one connection, and those that httpx and uvicorn write themselves.
OWN_HEADERS = {"connection", "content-length", "date", "host", "keep-alive", "server", "transfer-encoding"}

private_posts = {}


@asynccontextmanager
async def lifespan(app):
    async with httpx.AsyncClient(base_url=BACKEND, timeout=60) as client:
        app.state.client = client
        yield


app = FastAPI(lifespan=lifespan, openapi_url=None, docs_url=None, redoc_url=None)


def wrong_type(path, status, answer):
    """Answers yes or no in place of true or false."""
    if path == "api/v1/graph/is-following" and status == 200 and "is_following" in answer:
        answer["is_following"] = "yes" if answer["is_following"] else "no"
    return status


def missing_field(path, status, answer):
    """Leaves out who wrote a comment."""
    if path == "api/v1/social/comments" and status == 200:
        for comment in answer.get("comments") or []:
            comment.pop("creator_id", None)
    return status


def server_error(path, status, answer):
    """Fails with 500 where a post does not exist."""
    if path == "api/v1/social/like" and status == 404:
        answer.clear()
        answer.update({"code": 13, "message": "internal error", "details": []})
        return 500
    return status


def private_post(path, status, answer):
    """Shows private posts to everybody who asks for them by their ID."""
    changes = path in ("api/v1/content/post/create", "api/v1/content/post/update")
    post = answer.get("post") if changes and status == 200 else None
    if post and post["privacy"] == "private":
        private_posts[post["id"]] = post
    return status


def ignore_limit(path, message):
    """Lists all followers, whatever the limit is."""
    if path == "api/v1/graph/followers" and isinstance(message.get("limit", 0), int) and message.get("limit", 0) >= 0:
        message["limit"] = 1000


BUGS_OF_ANSWERS = {
    "wrong-type": wrong_type, "missing-field": missing_field, "server-error": server_error,
    "private-post": private_post,
}


def is_json(headers):
    return headers.get("content-type", "").startswith("application/json")


def changed_request(path, body):
    if "ignored-limit" not in BUGS or not body:
        return body
    try:
        message = json.loads(body)
    except ValueError:
        return body
    if not isinstance(message, dict):
        return body
    ignore_limit(path, message)
    return json.dumps(message).encode()


def leaked_post(path, body):
    """A private post that the request names."""
    if "private-post" not in BUGS or not path.startswith("api/v1/content/"):
        return None
    try:
        message = json.loads(body or b"{}")
    except ValueError:
        return None
    id = message.get("post_id", message.get("postId")) if isinstance(message, dict) else None
    return private_posts.get(id) if isinstance(id, str) else None


def spoiled(path, status, body, request_body):
    try:
        answer = json.loads(body)
    except ValueError:
        return status, body
    if not isinstance(answer, dict):
        return status, body
    for name, spoil in BUGS_OF_ANSWERS.items():
        if name in BUGS:
            status = spoil(path, status, answer)
    post = leaked_post(path, request_body)
    if post and status == 200 and answer.get("found") is False:
        answer = {"post": post, "found": True}
    return status, json.dumps(answer, ensure_ascii=False).encode()


@app.api_route("/{path:path}", methods=["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
async def forward(path: str, request: Request):
    headers = [(k, v) for k, v in request.headers.raw if k.decode().lower() not in OWN_HEADERS]
    original = await request.body()
    client = request.app.state.client
    url = httpx.URL(BACKEND).copy_with(raw_path=request.scope["raw_path"] + (
        b"?" + request.scope["query_string"] if request.scope["query_string"] else b""))
    outgoing = client.build_request(request.method, url, headers=headers, content=changed_request(path, original))
    answer = await client.send(outgoing, stream=True)
    kept = {k: v for k, v in answer.headers.items() if k.lower() not in OWN_HEADERS}
    if answer.headers.get("content-type", "").startswith("text/event-stream"):
        async def events():
            try:
                async for chunk in answer.aiter_raw():
                    yield chunk
            finally:
                await answer.aclose()
        return StreamingResponse(events(), answer.status_code, kept)
    if request.method == "HEAD" and "content-length" in answer.headers:
        kept["content-length"] = answer.headers["content-length"]
    body = b"".join([chunk async for chunk in answer.aiter_raw()])
    await answer.aclose()
    status = answer.status_code
    if is_json(answer.headers):
        status, body = spoiled(path, status, body, original)
    return Response(body, status, kept)
