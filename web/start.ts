/**
 * The first script of a page that came as HTML (server/app/first-html.ts). Nobody waits for it: it finishes what the server could not put
 * into the HTML, lets the browser paint that, and then brings the app, which goes on with it.
 */

// The page's policy allows no styles on elements that come as text.
for (const element of document.querySelectorAll<HTMLElement>('[data-style]')) {
  element.style.cssText = element.dataset.style ?? ''
  element.removeAttribute('data-style')
}

function bringApp() {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[data-rel]')) link.rel = link.dataset.rel ?? ''
  const app = document.createElement('script')
  app.type = 'module'
  app.src = document.querySelector<HTMLElement>('script[data-app]')?.dataset.app ?? ''
  document.head.append(app)
}

// A tab in the background paints nothing.
if (document.hidden) bringApp()
else requestAnimationFrame(() => setTimeout(bringApp))
