"""The weather server of the official tutorial ("Build an MCP server"), with its two tools, for the SDK of today: FastMCP is
called MCPServer there since 2.0, and httpx is httpx2. The address of the weather service is an argument."""

import sys
from typing import Any

import httpx2 as httpx
from mcp.server.mcpserver import MCPServer

mcp = MCPServer("weather")

NWS_API_BASE = sys.argv[1]
HEADERS = {"User-Agent": "weather-app/1.0", "Accept": "application/geo+json"}


async def request(url: str) -> dict[str, Any] | None:
    async with httpx.AsyncClient() as client:
        try:
            response = await client.get(url, headers=HEADERS, timeout=30.0)
            response.raise_for_status()
            return response.json()
        except Exception:
            return None


@mcp.tool()
async def get_alerts(state: str) -> str:
    """Get weather alerts for a US state.

    Args:
        state: Two-letter US state code (e.g. CA, NY)
    """
    found = await request(f"{NWS_API_BASE}/alerts/active/area/{state}")
    if found is None or "features" not in found:
        return "Unable to fetch alerts or no alerts found."
    alerts = [feature["properties"] for feature in found["features"]]
    if not alerts:
        return "No active alerts for this state."
    return "\n---\n".join(f"Event: {alert['event']}\nArea: {alert['areaDesc']}" for alert in alerts)


@mcp.tool()
async def get_forecast(latitude: float, longitude: float) -> str:
    """Get weather forecast for a location.

    Args:
        latitude: Latitude of the location
        longitude: Longitude of the location
    """
    point = await request(f"{NWS_API_BASE}/points/{latitude},{longitude}")
    if point is None:
        return "Unable to fetch forecast data for this location."
    forecast = await request(point["properties"]["forecast"])
    if forecast is None:
        return "Unable to fetch detailed forecast."
    periods = forecast["properties"]["periods"][:5]
    return "\n---\n".join(
        f"{period['name']}:\nTemperature: {period['temperature']}°{period['temperatureUnit']}\n"
        f"Wind: {period['windSpeed']} {period['windDirection']}\nForecast: {period['detailedForecast']}"
        for period in periods
    )


if __name__ == "__main__":
    mcp.run(transport="stdio")
