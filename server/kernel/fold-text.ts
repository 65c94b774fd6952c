/** Lower case, no accents, plain apostrophes: "Bouffée" is found by "bouffee", "Nature's" by "nature’s". */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[‘’ʻ`´]/g, "'")
    .toLowerCase()
}
