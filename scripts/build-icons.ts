// node scripts/build-icons.ts: draws the app's icons from the brand's mark (web/public/favicon.svg) into web/public/icons.
import fs from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'

const folder = path.join(import.meta.dirname, '../web/public')
const mark = (await fs.readFile(path.join(folder, 'favicon.svg'), 'utf8')).trim()

const sky = '#1d6839'
const sun = '#fbcc58'
/** Phones crop maskable icons to their own shape; 80% of the width is always visible. So the sky and hills extend to the edges. */
const maskable = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><path fill="${sky}" d="M0 0h40v40H0z"/><circle cx="20" cy="17" r="6.5" fill="${sun}"/><path fill="#57a36a" d="M0 26.5c6-5.5 12.6-8.2 20-8.2s14 2.700 20 8.2V40H0z"/><path fill="#0f4a29" d="M0 35.5c6-5.300 12.6-7.900 20-7.900s14 2.600 20 7.900V40H0z"/></svg>`
/** Status bars use only the silhouette: a sun with its rays over a hill. */
const badge = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"><circle cx="16" cy="15" r="5.5" fill="#fff" stroke="none"/><path d="M16 2.5v3M6.8 6.300l2 2M25.2 6.300l-2 2M3 15.5h3M26 15.5h3M2.5 29c4-4 8.5-5.700 13.5-5.700s9.500 1.700 13.5 5.700"/></svg>`

/** The icon for the discreet name: a sheet of paper with three lines, which doesn't reveal the subject. */
const sheet = (round: boolean) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40"${round ? ' rx="9"' : ''} fill="#3f4a5a"/><path d="M13 14.5h14M13 20h14M13 25.500h8.500" stroke="#fff" stroke-width="2.200" stroke-linecap="round"/></svg>`

const draw = (svg: string, size: number, name: string) =>
  sharp(Buffer.from(svg), { density: 72 * Math.ceil(size / 32) })
    .resize(size, size)
    .png({ compressionLevel: 9, palette: true })
    .toFile(path.join(folder, 'icons', name))

await fs.mkdir(path.join(folder, 'icons'), { recursive: true })
await Promise.all([
  draw(mark, 192, '192.png'),
  draw(mark, 512, '512.png'),
  draw(maskable, 512, 'maskable.png'),
  draw(badge, 96, 'badge.png'),
  draw(sheet(true), 192, 'plain-192.png'),
  draw(sheet(true), 512, 'plain-512.png'),
  draw(sheet(false), 512, 'plain-maskable.png'),
])
