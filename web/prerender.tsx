import type { QueryClient } from '@tanstack/react-query'
import { type AnyRoute, createMemoryHistory, createRouter } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { prerender as renderWhole } from 'react-dom/static'
import type { Boot } from '#contracts/boot.ts'
import { App } from './app.tsx'
import { businessListOptions, businessOptions, pageExtrasOptions } from './entities/businesses/businesses.api.ts'
import { businessEventsOptions } from './entities/events/events.api.ts'
import { boot } from './lib/boot.ts'
import { currentUserOptions } from './lib/current-user.ts'
import { setRegion } from './lib/format.ts'
import { queryClient } from './lib/query-client.ts'
import { Route as Root } from './routes/__root.tsx'
import { Route as Brand } from './routes/$brandSlug.tsx'
import { Route as Accessibility } from './routes/accessibility.tsx'
import { Route as Business } from './routes/business.$id.tsx'
import { Route as Contact } from './routes/contact.tsx'
import { Route as Data } from './routes/data.tsx'
import { Route as Discover } from './routes/discover.tsx'
import { Route as Guidelines } from './routes/guidelines.tsx'
import { Route as Help } from './routes/help.tsx'
import { Route as Landing } from './routes/landing.tsx'
import { Route as Privacy } from './routes/privacy.tsx'
import { Route as Resources } from './routes/resources.tsx'
import { Route as Rules } from './routes/rules.tsx'
import { Route as Terms } from './routes/terms.tsx'

/** Server-rendered screens. Any other URL shows visitors the sign-in screen, which needs no route. */
const routes: [path: string, route: AnyRoute][] = [
  ['/$brandSlug', Brand],
  ['/accessibility', Accessibility],
  ['/business/$id', Business],
  ['/contact', Contact],
  ['/data', Data],
  ['/discover', Discover],
  ['/guidelines', Guidelines],
  ['/help', Help],
  ['/landing', Landing],
  ['/privacy', Privacy],
  ['/resources', Resources],
  ['/rules', Rules],
  ['/terms', Terms],
]

// Like the generated route tree of the app.
const routeTree = Root.addChildren(routes.map(([path, route]) => route.update({ id: path, path, getParentRoute: () => Root } as never)))

/**
 * Renders a screen to HTML with the same components as the browser, to be hydrated there. The app's state is global to the process, so call
 * this for one page at a time.
 * @param page the page's boot data and responses; other queries render as loading
 */
export async function prerender(href: string, page: Boot): Promise<string> {
  Object.assign(boot, page)
  setRegion(page.user?.preferences.region ?? page.region)
  queryClient.clear()
  queryClient.setQueryData(currentUserOptions.queryKey, page.user)
  fill(queryClient, page.answers)
  const router = createRouter({ routeTree, context: { queryClient }, history: createMemoryHistory({ initialEntries: [href] }) })
  await router.load()
  const app = <App router={router} queryClient={queryClient} />
  const html = renderToString(app)
  if (!html.includes(unfinished)) return html
  // The first render loads lazy code. After that, renderToString needs no scripts to insert the parts.
  await new Response((await renderWhole(app)).prelude).text()
  return renderToString(app)
}

/** React's marker for a suspended part. */
const unfinished = '<!--$!-->'

function fill(client: QueryClient, answers: Boot['answers']): void {
  for (const { url, body, next } of answers) {
    const business = /^\/api\/businesses\/([^/?]+)$/.exec(url)?.[1]
    if (business) client.setQueryData(businessOptions(business).queryKey, body as never)
    const extrasOf = /^\/api\/businesses\/([^/?]+)\/page-extras$/.exec(url)?.[1]
    if (extrasOf) client.setQueryData(pageExtrasOptions(extrasOf).queryKey, body as never)
    const eventsOf = /^\/api\/businesses\/([^/?]+)\/events\?/.exec(url)?.[1]
    if (eventsOf) {
      client.setQueryData(businessEventsOptions(eventsOf).queryKey, { pages: [{ items: body as never, next }], pageParams: [null] })
    }
    if (url === '/api/businesses')
      client.setQueryData(businessListOptions().queryKey, { pages: [{ items: body as never, next }], pageParams: [null] })
  }
}
