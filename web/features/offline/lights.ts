import { useEffect, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()

/**
 * The cookie goes with the growing screens alone, so that the server paints them dark from the first moment on, and everything else as the
 * person has it otherwise.
 */
const path = '/pheno-hunt'
const yearInSeconds = 365 * 24 * 60 * 60

export const lightsAreOff = (): boolean => document.documentElement.dataset.lights === 'off'

const isRemembered = () => /(?:^|; )lights=off(?:;|$)/.test(document.cookie)

/** The ground with the lights off, for the bars of phones around the page. */
const dimGround = '#100706'

function show(isOff: boolean): void {
  if (isOff) document.documentElement.dataset.lights = 'off'
  else delete document.documentElement.dataset.lights
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    meta.dataset.usual ??= meta.content
    meta.content = isOff ? dimGround : meta.dataset.usual
  }
  for (const listener of listeners) listener()
}

/** Turns the dim theme on or off, for this device. */
export function turnLights(isOff: boolean): void {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve
  document.cookie = `lights=off; path=${path}; max-age=${isOff ? yearInSeconds : 0}; samesite=lax${secure}`
  show(isOff)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether the lights are off; while a growing screen is shown, the page follows. */
export function useLights(): boolean {
  useEffect(() => {
    if (isRemembered()) show(true)
    return () => show(false)
  }, [])
  return useSyncExternalStore(subscribe, lightsAreOff)
}
