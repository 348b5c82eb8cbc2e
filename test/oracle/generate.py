"""Records when series occur, as python-dateutil and zoneinfo have it: `python3 test/oracle/generate.py`.

It needs python-dateutil 2.9.0 and tzdata of the release that the runtime has (`process.versions.tz`: 2026c is 2026.3 as
a package); the recording names it, and checking compares it. Nothing here is a port of the product: the named types
are dateutil rules of their own, and what a zone does to a wall time is zoneinfo's, with fold 0.
"""

import datetime as dt
import gzip
import itertools
import json
import pathlib
import random
import signal
import zoneinfo

import tzdata
from dateutil.rrule import DAILY, MO, MONTHLY, WEEKLY, rrule, rrulestr, weekdays

zoneinfo.reset_tzpath(to=[])  # The package's data, not the machine's.
UTC = dt.timezone.utc
EPOCH = dt.datetime(1970, 1, 1, tzinfo=UTC)
HERE = pathlib.Path(__file__).parent
DICE = random.Random(20261121)
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

# A zone, and the dates about which a series there starts: before a change, or a change of the rules for them.
ZONES = {
    "Europe/Berlin": ["2026-03-01", "2026-09-30", "2035-10-20"],
    "Europe/London": ["2026-03-22", "2027-10-01"],
    "Europe/Dublin": ["2026-10-20"],  # Its winter is the negative one.
    "Europe/Moscow": ["2011-03-20", "2014-10-20"],
    "Europe/Istanbul": ["2016-03-20"],
    "Europe/Volgograd": ["2018-10-20", "2020-12-20"],
    "America/New_York": ["2006-10-20", "2007-03-01", "2026-02-28", "2040-03-01"],
    "America/St_Johns": ["2010-10-30", "2011-03-10", "2026-10-30"],
    "America/Sao_Paulo": ["2017-10-01", "2018-10-30"],  # Midnight is skipped.
    "America/Santiago": ["2026-04-01", "2026-08-31"],
    "America/Havana": ["2026-03-01", "2026-10-28"],  # Midnight comes twice.
    "America/Asuncion": ["2024-09-20"],
    "America/Caracas": ["2007-12-01", "2016-04-20"],
    # Not October 2023, where zoneinfo gets a wall time wrong: its last recorded change moves no clock.
    "America/Nuuk": ["2024-03-20", "2024-10-01"],
    "America/Phoenix": ["2026-03-01"],
    "America/Adak": ["2026-10-25"],
    "Australia/Lord_Howe": ["2026-03-29", "2026-09-27", "2031-09-30"],  # Half an hour.
    "Australia/Adelaide": ["2026-09-20"],
    "Africa/Casablanca": ["2018-10-20", "2026-01-31", "2030-01-01", "2041-01-01"],  # Back for Ramadan.
    "Africa/Cairo": ["2014-05-01", "2026-04-01"],
    "Africa/Juba": ["2021-01-25"],
    "Antarctica/Troll": ["2026-03-20"],  # Two hours.
    "Asia/Pyongyang": ["2015-08-10", "2018-04-30"],
    "Asia/Tehran": ["2022-03-01"],
    "Asia/Gaza": ["2026-03-01", "2040-10-01"],
    "Asia/Kathmandu": ["2026-01-31"],
    "Pacific/Apia": ["2011-12-20", "2010-09-20", "2020-09-20"],  # 30 December 2011 was no day.
    "Pacific/Fakaofo": ["2011-12-24"],
    "Pacific/Chatham": ["2026-09-20"],
    "Pacific/Norfolk": ["2015-09-30", "2026-10-01"],
    "Asia/Calcutta": ["2026-02-28"],  # An alias.
    "US/Pacific": ["2026-03-01"],
    "EST5EDT": ["2026-10-25"],
    "Etc/GMT+5": ["2026-01-01"],
    "UTC": ["2026-01-31", "2028-02-29"],
}
TIMES = ["00:00", "00:30", "01:45", "02:00", "02:15", "02:30", "03:00", "09:00", "23:45"]


NAMED = [
    (dict(recurrence_type="daily"), 400),
    (dict(recurrence_type="weekly"), 1100),
    (dict(recurrence_type="weekly", weekday=7), 1100),
    (dict(recurrence_type="weekly", interval_weeks=2, weekday=1), 2200),
    (dict(recurrence_type="weekly", interval_weeks=5, weekday=3), 2200),
    (dict(recurrence_type="monthly_by_date"), 2500),
    (dict(recurrence_type="monthly_by_weekday", ordinal_week=-1, weekday=7), 2500),
    (dict(recurrence_type="monthly_by_weekday", ordinal_week=2, weekday=7), 2500),
    (dict(recurrence_type="monthly_by_weekday", ordinal_week=4, weekday=5), 2500),
]
RULES = """
FREQ=DAILY;INTERVAL=3
FREQ=DAILY;BYDAY=SA,SU
FREQ=DAILY;BYHOUR=1,2,3;BYMINUTE=0,30
FREQ=DAILY;BYHOUR=0,2;BYSETPOS=-1
FREQ=DAILY;INTERVAL=2;BYMONTH=3,10,11
FREQ=DAILY;BYMONTHDAY=-1,29
FREQ=WEEKLY;BYDAY=MO,WE,FR
FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=TU,SU
FREQ=WEEKLY;INTERVAL=2;WKST=MO;BYDAY=TU,SU
FREQ=WEEKLY;BYDAY=SA,SU;BYSETPOS=-1
FREQ=WEEKLY;BYMONTH=3,10
FREQ=WEEKLY;BYHOUR=2,3;BYDAY=SU
FREQ=MONTHLY
FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=31
FREQ=MONTHLY;BYMONTHDAY=-1
FREQ=MONTHLY;BYMONTHDAY=1,15,-2
FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1
FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,-2
FREQ=MONTHLY;BYDAY=1SU,-1SU
FREQ=MONTHLY;BYDAY=5SU
FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13
FREQ=MONTHLY;INTERVAL=2;BYDAY=SU;BYHOUR=2,3;BYSETPOS=3
FREQ=YEARLY
FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU
FREQ=YEARLY;BYMONTH=3;BYDAY=2SU
FREQ=YEARLY;BYDAY=20MO,-1SU
FREQ=YEARLY;BYYEARDAY=1,100,-1
FREQ=YEARLY;BYWEEKNO=1,20,53;BYDAY=MO,SU
FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29
FREQ=YEARLY;INTERVAL=2;BYMONTH=1;BYDAY=MO;BYSETPOS=3
FREQ=YEARLY;BYMONTHDAY=31
FREQ=YEARLY;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8
""".split()


def naive(date, time):
    return dt.datetime.fromisoformat(f"{date}T{time}:00")


def dateutil_rule(rule):
    """Our rule as one of dateutil's, on naive wall times."""
    start = naive(rule["start_date"], rule["start_time"])
    kind = rule["recurrence_type"]
    if kind == "daily":
        return rrule(DAILY, dtstart=start)
    if kind == "weekly":
        day = weekdays[rule["weekday"] - 1] if "weekday" in rule else None
        return rrule(WEEKLY, dtstart=start, interval=rule.get("interval_weeks", 1), wkst=MO, byweekday=day)
    if kind == "monthly_by_date":
        return rrule(MONTHLY, dtstart=start, bymonthday=start.day)
    if kind == "monthly_by_weekday":
        return rrule(MONTHLY, dtstart=start, byweekday=weekdays[rule["weekday"] - 1](rule["ordinal_week"]))
    text = without_end(rule["recurrence_rule"])
    if "WEEKLY" in text and "BYSETPOS" in text:
        # The RFC's set begins with the week; dateutil's first one begins with the start. From the first day of that
        # week on they agree.
        if not part(text, "BYDAY"):
            text += f";BYDAY={DAYS[start.weekday()]}"
        start -= dt.timedelta(days=(start.weekday() - DAYS.index(part(text, "WKST") or "MO")) % 7)
    if part(text, "BYWEEKNO"):
        return in_weeks(text, start)
    return rrulestr(text, dtstart=start)


def in_weeks(text, start):
    """The rule without weeks, and then the weeks: dateutil takes 1 January 2022 for week 53, and loses days of -52."""
    weeks = [int(number) for number in part(text, "BYWEEKNO").split(",")]
    first = DAYS.index(part(text, "WKST") or "MO")
    for wall in rrulestr(";".join(p for p in text.split(";") if not p.startswith("BYWEEKNO=")), dtstart=start):
        # A week belongs to the year that has four of its days, and so its fourth.
        fourth = wall + dt.timedelta(days=3 - (wall.weekday() - first) % 7)
        number = (fourth.timetuple().tm_yday - 1) // 7 + 1
        after = (dt.date(fourth.year, 12, 31) - fourth.date()).days // 7
        if number in weeks or -1 - after in weeks:
            yield wall


def part(text, name):
    return next((p.split("=")[1] for p in text.split(";") if p.startswith(name + "=")), None)


def without_end(text):
    return ";".join(p for p in text.split(";") if not p.startswith(("UNTIL=", "COUNT=")))


def instant(wall, zone):
    """With fold 0: the first of two, and for a skipped time the offset before the gap, which moves it by the gap."""
    moved = wall.replace(tzinfo=zone).astimezone(UTC)
    back = moved.astimezone(zone).replace(tzinfo=None)
    if back != wall:
        before = (moved - dt.timedelta(days=1, hours=1)).astimezone(zone).utcoffset()
        gap = moved.astimezone(zone).utcoffset() - before
        assert back - wall == gap > dt.timedelta(0), (wall, zone, back)
    return moved


def occurrences(rule, days):
    zone = zoneinfo.ZoneInfo(rule["timezone"])
    start = naive(rule["start_date"], rule["start_time"])
    until = part(rule.get("recurrence_rule", ""), "UNTIL")
    walls = []
    for wall in dateutil_rule(rule):
        if wall > start + dt.timedelta(days=days + 3):
            break
        if wall < start or ("ends_on" in rule and wall.date() > dt.date.fromisoformat(rule["ends_on"])):
            continue
        if until and len(until) == 8 and wall.strftime("%Y%m%d") > until:
            continue
        if until and len(until) == 15 and wall.strftime("%Y%m%dT%H%M%S") > until:
            continue
        walls.append(wall)
    found = sorted({instant(wall, zone) for wall in walls})
    if until and len(until) == 16:
        found = [at for at in found if at.strftime("%Y%m%dT%H%M%SZ") <= until]
    # Both count what a person sees: two wall times that fall on one instant are one occurrence.
    count = int(part(rule.get("recurrence_rule", ""), "COUNT") or rule.get("max_occurrences", len(found)))
    found = found[:count]
    end = instant(start, zone) + dt.timedelta(days=days)
    return end, [at for at in found if at < end]


def random_rule():
    """Any rule that we take, likely or not."""
    freq = DICE.choice(["DAILY", "WEEKLY", "MONTHLY", "YEARLY"])
    some = lambda pool, most: sorted(DICE.sample(pool, DICE.randint(1, min(most, len(pool)))))
    parts = {}
    weekno = freq == "YEARLY" and DICE.random() < 0.2
    if not weekno and DICE.random() < 0.4:
        parts["INTERVAL"] = [DICE.choice([1, 2, 3, 4, 5, 7, 11, 12, 13])]
    if DICE.random() < 0.3:
        parts["BYMONTH"] = some(range(1, 13), 5)
    if freq != "WEEKLY" and DICE.random() < 0.3:
        parts["BYMONTHDAY"] = some([*range(1, 32), *range(-31, 0)], 8)
    if freq == "YEARLY" and DICE.random() < 0.25:
        parts["BYYEARDAY"] = some([*range(1, 367), *range(-366, 0)], 12)
    if weekno:
        parts["BYWEEKNO"] = some([*range(1, 54), *range(-53, 0), 1, 52, 53, -1], 8)
    if weekno or DICE.random() < 0.5:
        pool = DAYS
        if not weekno and freq in ("MONTHLY", "YEARLY") and DICE.random() < 0.5:
            most = 5 if freq == "MONTHLY" or "BYMONTH" in parts else 52
            pool = [f"{n}{day}" for n in [*range(1, most + 1), *range(-most, 0)] for day in DAYS]
        parts["BYDAY"] = some(pool, 4)
    if DICE.random() < 0.3:
        parts["BYHOUR"] = some(range(24), 4)
    if DICE.random() < 0.15:
        parts["BYMINUTE"] = some(range(0, 60, 15), 2)
    a_day = len(parts.get("BYHOUR", [1])) * len(parts.get("BYMINUTE", [1]))
    choice = a_day * {"DAILY": 1, "WEEKLY": len(parts.get("BYDAY", [1])), "MONTHLY": 8, "YEARLY": 20}[freq]
    # Programs disagree on these, or no window needs them: we refuse them.
    ordinal = any(day[0] in "-123456789" for day in parts.get("BYDAY", []))
    entangled = "BYYEARDAY" in parts or freq == "YEARLY" and "BYMONTHDAY" in parts and ordinal
    if not weekno and not entangled and set(parts) - {"INTERVAL"} and DICE.random() < 0.3:
        parts["BYSETPOS"] = some([*range(1, choice + 1), *range(-choice, 0)], 3)
    if DICE.random() < 0.3:
        parts["WKST"] = [DICE.choice(DAYS)]
    if DICE.random() < 0.1:
        parts["COUNT"] = [DICE.randint(1, 40)]
    text = ";".join([f"FREQ={freq}", *(f"{name}={','.join(map(str, values))}" for name, values in parts.items())])
    return text, {"DAILY": 300, "WEEKLY": 900, "MONTHLY": 2500, "YEARLY": 5000}[freq]


def cases():
    starts = [(zone, date) for zone, dates in ZONES.items() for date in dates]
    for (zone, date), (kind, days) in itertools.product(starts, NAMED):
        yield dict(kind, timezone=zone, start_date=date, start_time=DICE.choice(TIMES)), days
    for (zone, date), text in itertools.product(starts, RULES):
        days = 250 if "DAILY" in text else 700 if "WEEKLY" in text else 2600 if "YEARLY" not in text else 3800
        rule = dict(recurrence_type="rrule", recurrence_rule=text, timezone=zone, start_date=date)
        yield dict(rule, start_time=DICE.choice(TIMES)), days
    for zone, date in starts:
        day = dt.date.fromisoformat(date)
        end = day + dt.timedelta(days=DICE.randint(30, 60))
        ends = [
            ("daily", {"ends_on": str(end)}),
            ("daily", {"max_occurrences": 20}),
            ("rrule", {"recurrence_rule": f"FREQ=DAILY;UNTIL={end:%Y%m%d}"}),
            ("rrule", {"recurrence_rule": f"FREQ=DAILY;UNTIL={end:%Y%m%d}T020000"}),
            ("rrule", {"recurrence_rule": f"FREQ=DAILY;UNTIL={end:%Y%m%d}T013000Z"}),
        ]
        for kind, fields in ends:
            yield dict(fields, recurrence_type=kind, timezone=zone, start_date=date, start_time=DICE.choice(TIMES)), 90
    for _ in range(1500):
        zone, date = DICE.choice(starts)
        text, days = random_rule()
        date = str(dt.date.fromisoformat(date) + dt.timedelta(days=DICE.randint(0, 40)))
        rule = dict(recurrence_type="rrule", recurrence_rule=text, timezone=zone, start_date=date)
        yield dict(rule, start_time=DICE.choice(TIMES)), days


def refused(rule):
    """What the service does not take, although dateutil has an answer."""
    text = rule.get("recurrence_rule", "")
    if "FREQ=YEARLY" not in text:
        return False
    # Days of the month without months: dateutil takes every month, other programs that of the start.
    if part(text, "BYMONTHDAY") and not part(text, "BYMONTH"):
        return True
    # The service knows no year behind 2199, and refuses a count that it would have to cut off.
    return int(part(text, "COUNT") or 0) * int(part(text, "INTERVAL") or 1) > 150


def packed(moments):
    """Minutes since the one before, `1440x27` for as many in a row; the first since 1970."""
    minutes = [int((at - EPOCH).total_seconds()) // 60 for at in moments]
    steps = [b - a for a, b in zip([0, *minutes], minutes)]
    runs = [(step, len(list(group))) for step, group in itertools.groupby(steps)]
    return " ".join(f"{step}x{times}" if times > 1 else str(step) for step, times in runs)


class TooLong(Exception):
    pass


def give_up(_signal, _frame):
    raise TooLong


def main():
    signal.signal(signal.SIGALRM, give_up)
    total, lines = 0, []
    for rule, days in cases():
        if refused(rule):
            continue
        signal.alarm(5)
        try:
            end, found = occurrences(rule, days)
            if len(found) > 15_000:  # A series has at most 20,000.
                continue
        except TooLong:  # dateutil looks for what never occurs up to the year 9999.
            continue
        finally:
            signal.alarm(0)
        total += len(found)
        # Their duration is for the checker to choose; a minute never overlaps.
        lines.append(json.dumps([rule, int(end.timestamp()) // 60, packed(found)], separators=(",", ":")))
    head = json.dumps({"tz": tzdata.IANA_VERSION, "cases": len(lines), "occurrences": total})
    text = "\n".join([head, *lines]) + "\n"
    (HERE / "recorded.jsonl.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{len(lines)} cases, {total} occurrences")


if __name__ == "__main__":
    main()
