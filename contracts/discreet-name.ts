/** The name of the app on the home screen of somebody who does not want ours there, and the cookie by which this device asks for it. */
export const discreetName = 'Notes'
export const discreetCookie = 'discreet'
