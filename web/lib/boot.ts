import type { Boot } from '../../contracts/boot.ts'

/** What the server put into the page: see `server/app/boot.ts`. */
export const boot: Boot = readBoot()

export const { brand } = boot

function readBoot(): Boot {
  const text = document.getElementById('boot')?.textContent
  if (!text) throw new Error('The page came without its boot data; it must be served by the Sungrove server.')
  return JSON.parse(text) as Boot
}
