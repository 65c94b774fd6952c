/**
 * First script of a server-rendered page (server/app/first-html.ts), not render-blocking. Completes what the server couldn't put into the
 * HTML, lets the browser paint, and then loads the app, which hydrates the page.
 */

// The content security policy forbids style attributes in HTML.
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

// Background tabs don't paint.
if (document.hidden) bringApp()
else requestAnimationFrame(() => setTimeout(bringApp))
