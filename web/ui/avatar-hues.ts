/** The hues of avatars, far enough apart to be told from each other. */
export const avatarHues = [152, 188, 222, 256, 12, 44, 72, 98, 124] as const
