/** A neutral app name for the home screen, and the cookie that selects it on a device. */
export const discreetName = 'Notes'
export const discreetCookie = 'discreet'
