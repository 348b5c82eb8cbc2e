/** Half a minute: less is the ordinary delay of a timer, more is a time down. */
export const isLate = (now: Date, due: Date, minuteMs: number) => now.getTime() - due.getTime() > minuteMs / 2
