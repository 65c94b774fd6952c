const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** A separate module without Zod, because routing needs it in every first load. */
export const isUuid = (text: string): boolean => uuidPattern.test(text)
