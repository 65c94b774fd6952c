/** UTF-16 units of a message. */
export const maxMessageLength = 4000
/** Of a first message to somebody who does not follow the sender. */
export const maxRequestLength = 1000
export const maxMessagePhotos = 6

const scheme = /\b(?:https?|ftp):\/\//i
const host = /\bwww\.[\p{L}\p{N}-]+\./iu
/** Endings that are no ordinary words after a full stop without a space: "sure.me", "ok.so" are how people write. */
const domain =
  /(?<![\p{L}\p{N}@.-])[\p{L}\p{N}][\p{L}\p{N}-]*(?:\.[\p{L}\p{N}-]+)*\.(?:com|net|org|info|biz|co|io|app|dev|shop|store|site|online|club|xyz|link|page|gg|ly|tv|cc|ru|us|uk|ca|de|cannabis)(?![\p{L}\p{N}-])/iu

/** Whether there is an address of a website in a text, written out or as people shorten it: "example.com/deal". */
export const holdsLink = (text: string): boolean => scheme.test(text) || host.test(text) || domain.test(text)
