import { discreetCookie } from '../../../contracts/discreet-name.ts'

/** Whether this device wants the discreet name and icon. The server reads the same cookie and links what is to be installed. */
export const isDiscreet = (): boolean => new RegExp(`(?:^|; )${discreetCookie}=1(?:;|$)`).test(document.cookie)

const year = 365 * 24 * 60 * 60

/** Keeps the choice for a year and, for whoever installs now, changes what this page links. */
export function setDiscreet(isWanted: boolean): void {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve
  document.cookie = `${discreetCookie}=1; path=/; max-age=${isWanted ? year : 0}; samesite=lax${secure}`
  link('manifest')?.setAttribute('href', isWanted ? '/manifest.webmanifest?name=discreet' : '/manifest.webmanifest')
  link('apple-touch-icon')?.setAttribute('href', isWanted ? '/icons/plain-192.png' : '/apple-touch-icon.png')
}

const link = (rel: string) => document.querySelector(`link[rel="${rel}"]`)
