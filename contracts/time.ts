export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** The day that expiration dates of licenses are compared with. A license is valid until its last day has ended in every US time zone. */
export const licenseDay = (now: Date): string => new Date(now.getTime() - 12 * hourMs).toISOString().slice(0, 10)
