/** A name that nobody else has, in hexadecimal. By hand: crypto.randomUUID exists on secure origins only, and a first look may be at http://192.168.… */
export const randomKey = (bytes = 16): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('')
