/** Hexadecimal. crypto.randomUUID requires a secure origin, but the first visit may be at http://192.168.… */
export const randomKey = (bytes = 16): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('')
