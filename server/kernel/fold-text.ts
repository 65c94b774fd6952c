/** Lower case, no accents, plain apostrophes: "bouffee" finds "Bouffée", and "nature’s" finds "Nature's". */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[‘’ʻ`´]/g, "'")
    .toLowerCase()
}
