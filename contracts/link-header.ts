/** URL of the next page from a `Link` header; null on the last page. Separate from pagination.ts, because it needs no Zod. */
export function nextPage(link: string | null | undefined): string | null {
  return /<([^>]+)>;\s*rel="next"/.exec(link ?? '')?.[1] ?? null
}
