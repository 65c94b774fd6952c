import { escapeHtml } from '#server/kernel/escape-html.ts'
import type { SharedBusiness } from './sharing.queries.ts'

type Parts = { business: SharedBusiness; minimumAge: number; rule: string; brandName: string; publicUrl: string }

/** The framed page before the age question; contains no products. */
export function embedPage({ business, minimumAge, rule, brandName, publicUrl }: Parts): string {
  const name = escapeHtml(business.name)
  const link = `${escapeHtml(publicUrl)}/business/${escapeHtml(business.slug)}?from=embed`
  return page(
    `Menu of ${name}`,
    // A single, named landmark: the page around the frame has its own.
    `<main id="menu" aria-label="Menu of ${name}" data-items="/embed/menu/${escapeHtml(business.slug)}/items" data-age="${minimumAge}">
<h1>${name}</h1>
${business.location ? `<p class="place">${escapeHtml(business.location)}</p>` : ''}
<section id="gate" hidden>
<h2 tabindex="-1">Are you ${minimumAge} or over?</h2>
<p>${escapeHtml(rule)}</p>
<p class="choice"><button id="yes">Yes, I am</button><button id="no" class="quiet">No</button></p>
</section>
<noscript><p>The menu is at <a href="${link}" target="_blank" rel="noopener">${escapeHtml(brandName)}</a>.</p></noscript>
<p id="note" role="status"></p>
<div id="items"></div>
<p><button id="more" class="quiet" hidden>Show more</button></p>
<p class="place"><a href="${link}" target="_blank" rel="noopener">Reviews, hours and more on ${escapeHtml(brandName)}</a></p>
</main>
<script src="/embed/page.js"></script>`,
  )
}

export const missingPage = (): string => page('Menu', '<main><h1>Menu</h1><p>This menu is no longer shown here.</p></main>')

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="/embed/menu.css">
</head>
<body>
${body}
</body>
</html>
`
