export const eventAudiences = ['everyone', 'subscribers', 'vip'] as const

export const maxEventCapacity = 100_000

/** The calendar file (RFC 5545) of an event whose details the viewer may see. */
export const calendarFilePath = (id: string) => `/api/events/${id}/calendar.ics`
