/** The address of the next page from a `Link` header, or null on the last one. Apart from pagination.ts, as it needs no Zod. */
export function nextPage(link: string | null | undefined): string | null {
  return /<([^>]+)>;\s*rel="next"/.exec(link ?? '')?.[1] ?? null
}
