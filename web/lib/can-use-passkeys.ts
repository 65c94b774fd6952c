/** Browsers make and show passkeys over HTTPS (or on this machine itself), for a site with a name: not at http://192.168.… */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && window.isSecureContext && /[a-z]/i.test(window.location.hostname.replace(/^\[.*/, ''))
