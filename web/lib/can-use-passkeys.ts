/** Browsers support passkeys only over HTTPS (or on localhost) and with a domain name, not at http://192.168.… */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && window.isSecureContext && /[a-z]/i.test(window.location.hostname.replace(/^\[.*/, ''))
