import type { Boot } from '#contracts/boot.ts'

/** The server embeds this in the page; see `server/app/page-head.ts`. */
export const boot: Boot = readBoot()

export const { brand } = boot

function readBoot(): Boot {
  const text = document.getElementById('boot')?.textContent
  if (!text) throw new Error('The page has no boot data. It must be served by the Sungrove server.')
  return JSON.parse(text) as Boot
}
