/** In UTF-16 code units. */
export const maxMessageLength = 4000
/** For a first message to someone who doesn't follow the sender. */
export const maxRequestLength = 1000
export const maxMessagePhotos = 6

const scheme = /\b(?:https?|ftp):\/\//i
const host = /\bwww\.[\p{L}\p{N}-]+\./iu
/** Excludes top-level domains that often start a sentence, because people omit the space after a period: "sure.me", "ok.so". */
const domain =
  /(?<![\p{L}\p{N}@.-])[\p{L}\p{N}][\p{L}\p{N}-]*(?:\.[\p{L}\p{N}-]+)*\.(?:com|net|org|info|biz|co|io|app|dev|shop|store|site|online|club|xyz|link|page|gg|ly|tv|cc|ru|us|uk|ca|de|cannabis)(?![\p{L}\p{N}-])/iu

/** Finds web addresses with or without a scheme: "example.com/deal". */
export const containsLink = (text: string): boolean => scheme.test(text) || host.test(text) || domain.test(text)
