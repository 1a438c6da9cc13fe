"""A server of ten lines on fastmcp, for the extension of tasks (2026-07-28)."""

import asyncio

from fastmcp import FastMCP
from fastmcp_tasks import TasksExtension

mcp = FastMCP("tasks")
mcp.add_extension(TasksExtension(url="memory://tasks"))


@mcp.tool(task=True)
async def slow_sum(a: int, b: int, seconds: float = 0.3) -> int:
    """Adds, after a moment or after so many seconds."""
    await asyncio.sleep(seconds)
    return a + b


@mcp.tool
def quick_sum(a: int, b: int) -> int:
    """Adds at once."""
    return a + b


if __name__ == "__main__":
    mcp.run(show_banner=False)
