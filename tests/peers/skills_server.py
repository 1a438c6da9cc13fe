"""A server of ten lines on fastmcp that serves the folder `skills`: by the extension of skills, or as resources only."""

import sys
from pathlib import Path

from fastmcp import FastMCP
from fastmcp.server.providers.skills import SkillsDirectoryProvider
from fastmcp.skills.extension import SkillsExtension

mcp = FastMCP("skills")
extended = "--extension" in sys.argv
roots = Path(__file__).parent / "skills"
provider = SkillsDirectoryProvider(roots=roots, experimental_skills=extended, supporting_files="resources")
mcp.add_provider(provider)
if extended:
    mcp.add_extension(SkillsExtension(providers=[provider]))


if __name__ == "__main__":
    mcp.run(show_banner=False)
