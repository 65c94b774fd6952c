import { useEffect } from 'react'
import { createListeners, useStore } from '#web/lib/store.ts'
import { setCookie } from '#web/ui/theme.ts'

const { notify, subscribe } = createListeners()

/**
 * Limits the cookie to the growing screens, so the server renders them dark from the start, and everything else in the person's usual
 * theme.
 */
const path = '/pheno-hunt'

export const lightsAreOff = (): boolean => document.documentElement.dataset.lights === 'off'

const isRemembered = () => /(?:^|; )lights=off(?:;|$)/.test(document.cookie)

/** Phones' browser bars get the dim theme's background from a meta tag, not from CSS. */
const dimGround = '#100706'

function show(isOff: boolean): void {
  if (isOff) document.documentElement.dataset.lights = 'off'
  else delete document.documentElement.dataset.lights
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    meta.dataset.usual ??= meta.content
    meta.content = isOff ? dimGround : meta.dataset.usual
  }
  notify()
}

export function turnLights(isOff: boolean): void {
  setCookie('lights', 'off', { path, isKept: isOff })
  show(isOff)
}

export function useLights(): boolean {
  useEffect(() => {
    if (isRemembered()) show(true)
    return () => show(false)
  }, [])
  return useStore({ get: lightsAreOff, subscribe })
}
