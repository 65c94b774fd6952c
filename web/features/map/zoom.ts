export const MIN_ZOOM = 2
/** Streets fill the screen: closer in, even tiles have nothing more to show. */
export const MAX_ZOOM = 16
