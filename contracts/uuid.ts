const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** By itself: what the address bar says is looked at in everybody's first load, which has no room for schemas. */
export const isUuid = (text: string): boolean => uuidPattern.test(text)
