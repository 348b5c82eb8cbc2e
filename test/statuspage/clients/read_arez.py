"""Prints what the StatusPage client of aRez reads at an address, as JSON."""

import asyncio
import json
import sys

from arez import StatusPage


async def main(url):
    async with StatusPage(url) as page:
        status = await page.get_status()

    def event(one):
        return {
            "name": one.name,
            "status": one.status,
            "components": [component.name for component in one.components],
            "updates": [update.status for update in one.updates],
        }

    print(
        json.dumps(
            {
                "indicator": status.impact,
                "description": status.status,
                "groups": {group.name: group.status for group in status.groups},
                "components": {component.name: component.status for component in status.components},
                "incidents": [{**event(one), "impact": one.impact} for one in status.incidents],
                "maintenances": [event(one) for one in status.maintenances],
            }
        )
    )


asyncio.run(main(sys.argv[1]))
