import { parseCookie } from 'cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ageCookie, confirmedAge } from '#contracts/age.ts'
import type { Brand } from '#contracts/brand.ts'
import { businessTypePluralLabels } from '#contracts/business-types.ts'
import { figure } from '#contracts/fields.ts'
import { minuteMs } from '#contracts/time.ts'
import {
  type CityContent,
  type Device,
  hasMenu,
  itemPath,
  type MissingContent,
  menuPath,
  type PlaceCount,
  type PlacesContent,
  placesPath,
  type StateContent,
  type StrainContent,
  type VisitorPage,
} from '#contracts/visitor-pages.ts'
import { type PlaceCounts, readCity, readPlaces, readState } from '#server/features/places/index.ts'
import { businessData, listedData, menuData, readItemPage, readMenuPage } from '#server/features/public-menu/index.ts'
import { readStrain } from '#server/features/strain-pages/index.ts'
import { ageOf } from '#server/kernel/actor.ts'
import { etagOf, matchesEtag, shareReads } from '#server/kernel/answer-cache.ts'
import { acceptedEncoding, type Encoding } from '#server/kernel/constant-answer.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { admit } from '#server/kernel/rate-limit.ts'
import { readLastWrite, readNearbyAsVisitor } from '#server/kernel/replica-reads.ts'
import { toAppError, withError } from './http-errors.ts'
import { encodePage } from './page-files.ts'
import { menuHead, type PageHead, renderHead } from './page-head.ts'
import type { PageRenderer } from './page-renderer.ts'

/** A browser's settings for how every page looks. */
export type Appearance = { hasDiscreetName: boolean; themeAttributes: string }

type Parts = {
  countsOf: () => Promise<PlaceCounts>
  renderer: PageRenderer | null
  template: string | null
  appearanceOf(request: FastifyRequest): Appearance
  wholePage(appearance: Appearance, page: string, head: string): string
  errorPageOf(error: AppError): string
}

/** A path is a temporary redirect, `movedTo` a permanent one. */
type Redirect = string | { movedTo: string }

/** Redirects from a business's ID, or from the URL of another business that was merged into this one. */
const redirectToCurrent = ({ id }: { id: string }, asked: string, path: string): Redirect => (asked === id ? path : { movedTo: path })

const searchOf = ({ url }: FastifyRequest): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '')

type PageResult = { content: VisitorPage['content']; head: PageHead; data?: object | null; status?: number }

type ReadyPage = { status: number; etag: string; encoded(encoding: Encoding | null): Promise<Buffer> }

/** `/menu/…`, `/places/…` and `/strains/…`: pages that everyone can read, with or without an account, as complete HTML. */
export function addVisitorPages(app: FastifyInstance, ctx: Context, parts: Parts): void {
  const { countsOf, renderer, template, appearanceOf, wholePage, errorPageOf } = parts
  const { brand } = ctx
  const { publicUrl } = ctx.config
  const share = shareReads<Redirect | ReadyPage>()

  function makePage(appearance: Appearance, { isSignedIn }: Viewer, { content, head, data = null, status = 200 }: PageResult): ReadyPage {
    if (!renderer || !template) throw new AppError('unavailable', { message: 'The web app is not built. Run "npm start".' })
    const now = Math.floor(ctx.clock.now().getTime() / minuteMs) * minuteMs
    const page: VisitorPage = { now, isSignedIn, content }
    const around = wholePage(appearance, template, renderHead(head, brand, data))
    const render = async (encoding: Encoding | null) => {
      const html = await renderer.visitorPage(page)
      return encodePage(
        around.replace('<!--page-->', () => html),
        encoding,
      )
    }
    const made = new Map<Encoding | null, Promise<Buffer>>()
    return {
      status,
      etag: etagOf(around + JSON.stringify(page)),
      encoded(encoding) {
        const bytes = made.get(encoding) ?? render(encoding)
        made.set(encoding, bytes)
        return bytes
      },
    }
  }

  async function send(request: FastifyRequest, reply: FastifyReply, { status, etag, encoded }: ReadyPage) {
    reply.headers({ etag, 'cache-control': 'private, no-cache' })
    if (status === 200 && matchesEtag(request.headers['if-none-match'], etag)) return reply.status(304).send()
    const encoding = acceptedEncoding(request)
    if (encoding) reply.header('content-encoding', encoding)
    return reply
      .status(status)
      .headers({ 'content-type': 'text/html; charset=utf-8', vary: 'accept-encoding' })
      .send(await encoded(encoding))
  }

  /** Errors are pages, too. */
  function page(path: string, show: (ctx: Context, request: FastifyRequest, viewer: Viewer) => Promise<PageResult | Redirect>): void {
    app.get(path, { compress: false }, async (request, reply) => {
      try {
        await admit(ctx, request, 'page')
        const { renewedCookie, ...viewer } = await viewerOf(ctx, request)
        if (renewedCookie) reply.header('set-cookie', renewedCookie)
        const appearance = appearanceOf(request)
        const make = async () => {
          const shown = await readNearbyAsVisitor(ctx, request, viewer, (nearby) => show(nearby, request, viewer))
          return typeof shown === 'string' || 'movedTo' in shown ? shown : makePage(appearance, viewer, shown)
        }
        // A page that many people open at the same time, such as a menu that was just posted somewhere, is read once for all of them.
        const key = JSON.stringify([request.url, viewer, deviceOf(request), appearance])
        const isShared = !viewer.isSignedIn && readLastWrite(ctx, request).position === 0n
        const found = await (isShared ? share(key, make) : make())
        if (typeof found === 'string') return await reply.redirect(found)
        return 'movedTo' in found ? await reply.redirect(found.movedTo, 301) : await send(request, reply, found)
      } catch (thrown) {
        const error = toAppError(request, thrown)
        return withError(request, reply, error).type('text/html; charset=utf-8').send(errorPageOf(error))
      }
    })
  }

  page('/menu/:slug', async (ctx, request, { age, isAgeKnown }) => {
    const { slug } = request.params as { slug: string }
    try {
      const content = await readMenuPage(ctx, slug, request.query, { age, isAgeKnown, device: deviceOf(request) })
      const { business, menu } = content
      if (business.slug !== slug) return redirectToCurrent(business, slug, menuPath(business.slug) + searchOf(request))
      const { socialLinks } = content.extras
      const known = await businessData(ctx.db, business, socialLinks, { publicUrl, now: ctx.clock.now() })
      const data = known && hasMenu(business) ? { ...known, hasOfferCatalog: menuData(menu, publicUrl + menuPath(slug)) } : known
      return { content, head: menuHead(brand, publicUrl, business), data }
    } catch (error) {
      // The cursor belongs to another list, such as the menu before its order changed.
      if (error instanceof AppError && error.code === 'invalid_input') return menuPath(slug)
      return notFoundPage(error, 'menu')
    }
  })

  // Hidden from search engines, which must not list products.
  page('/menu/:slug/:id', async (ctx, request, { age, isAgeKnown }) => {
    const { slug, id } = request.params as { slug: string; id: string }
    try {
      const content = await readItemPage(ctx, { slug, id }, request.query, { age, isAgeKnown, device: deviceOf(request) })
      const { business, product } = content
      if (business.slug !== slug) return redirectToCurrent(business, slug, itemPath(business.slug, id) + searchOf(request))
      const head = { ...menuHead(brand, publicUrl, business), face: null }
      return { content, head: product ? { ...head, title: `${product.name} at ${business.name} · ${brand.name}` } : head }
    } catch (error) {
      return notFoundPage(error, 'item')
    }
  })

  page(placesPath(), async (ctx, request) => {
    const content = readPlaces(await countsOf(), request.query)
    return typeof content === 'string' ? content : { content, ...placesHead(ctx, content) }
  })

  page(placesPath(':state'), async (ctx, request) => {
    const { state } = request.params as { state: string }
    try {
      const content = readState(await countsOf(), state)
      return typeof content === 'string' ? content : { content, ...stateHead(ctx, content) }
    } catch (error) {
      return notFoundPage(error, 'place')
    }
  })

  page(placesPath(':state', ':city'), async (ctx, request, { age, isAgeKnown }) => {
    const { state, city } = request.params as { state: string; city: string }
    try {
      const content = await readCity(ctx, await countsOf(), { state, city, query: request.query, viewer: { age, isAgeKnown } })
      return typeof content === 'string' ? content + searchOf(request) : { content, ...cityHead(ctx, content) }
    } catch (error) {
      // The cursor belongs to another list.
      if (error instanceof AppError && error.code === 'invalid_input') return placesPath(state, city)
      return notFoundPage(error, 'place')
    }
  })

  page('/strains/:slug', async (ctx, request, { age, isAgeKnown, city }) => {
    const { slug } = request.params as { slug: string }
    try {
      const content = await readStrain(ctx, { text: slug, query: request.query, viewer: { age, isAgeKnown, city } })
      return typeof content === 'string' ? content : { content, ...strainHead(ctx, content) }
    } catch (error) {
      return notFoundPage(error, 'strain')
    }
  })

  /** @throws the error unless it is `not_found` */
  function notFoundPage(error: unknown, of: MissingContent['of']): PageResult {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error
    return { content: { kind: 'missing', of }, head: { ...notFoundTexts[of](brand.name), face: null }, status: 404 }
  }
}

const notFoundTexts: Record<MissingContent['of'], (brand: string) => { title: string; description: string }> = {
  menu: (brand) => ({ title: `Menu not found · ${brand}`, description: 'No business has this address.' }),
  item: (brand) => ({ title: `Item not found · ${brand}`, description: 'No menu has this item.' }),
  strain: (brand) => ({ title: `Strain not found · ${brand}`, description: 'Our strain list has no strain by that name.' }),
  place: (brand) => ({ title: `Place not found · ${brand}`, description: 'There’s no page for a US state or city at this address.' }),
}

type Viewer = { isSignedIn: boolean; age: number | null; isAgeKnown: boolean; city: string | null }

/** The age from the account or, if it has none, the age confirmed in this browser. */
async function viewerOf(ctx: Context, request: FastifyRequest): Promise<Viewer & { renewedCookie: string | null }> {
  const { cookie } = request.headers
  const session = await ctx.sessions.read(cookie)
  const known = ageOf(session?.actor ?? null, ctx.clock.now())
  const age = known ?? confirmedAge(parseCookie(cookie ?? '')[ageCookie])
  const city = session?.user.isLocationKnown ? session.user.location : null
  return { isSignedIn: session !== null, age, isAgeKnown: known !== null, city, renewedCookie: session?.renewedCookie ?? null }
}

function deviceOf(request: FastifyRequest): Device {
  const agent = request.headers['user-agent'] ?? ''
  if (/android/i.test(agent)) return 'android'
  return /iphone|ipad|macintosh/i.test(agent) ? 'iphone' : 'other'
}

type Site = Pick<Context, 'brand' | 'config'>
type PageMetadata = { head: PageHead; data: object | null }

function placesHead(site: Site, { states, cities }: PlacesContent): PageMetadata {
  const path = placesPath()
  return {
    head: headOf(site, path, {
      title: 'Licensed cannabis businesses by state and city',
      description: `Licensed dispensaries, farms and delivery services in ${states.length} states, from public license records.`,
    }),
    data: graph(breadcrumbs(site, [{ name: 'Places', path }]), listOfPlaces(site, [...states, ...cities])),
  }
}

function stateHead(site: Site, { state, cities, hasRealBusinesses }: StateContent): PageMetadata {
  const places = `${cities.length} ${cities.length === 1 ? 'city' : 'cities'}`
  return {
    head: headOf(
      site,
      state.path,
      {
        title: `Licensed cannabis businesses in ${state.name}`,
        description: `${figure(state.count)} licensed cannabis businesses in ${places} in ${state.name}, from public license records.`,
      },
      hasRealBusinesses,
    ),
    data: graph(breadcrumbs(site, [{ name: 'Places', path: placesPath() }, state]), listOfPlaces(site, cities)),
  }
}

function cityHead(site: Site, content: CityContent): PageMetadata {
  const { name, state, types, type, realCount, businesses, path } = content
  const { publicUrl } = site.config
  const place = `${name}, ${state.code}`
  const isFirstType = type === types[0]?.type
  const kind = type === null || type === 'other' ? 'cannabis businesses' : lowerFirst(businessTypePluralLabels[type])
  const trail = [{ name: 'Places', path: placesPath() }, state, { name, path }]
  const listed = businesses.filter(({ isDemo }) => !isDemo)
  return {
    head: headOf(
      site,
      type === null || isFirstType ? path : `${path}?type=${type}`,
      {
        title: `Licensed ${kind} in ${place}`,
        description:
          realCount > 0
            ? `${figure(realCount)} licensed ${kind} in ${place}: licenses, hours, phone numbers and ratings.`
            : `Licensed businesses near ${place}.`,
      },
      realCount > 0 && content.isFirstPage,
    ),
    data: graph(breadcrumbs(site, trail), {
      '@type': 'ItemList',
      itemListElement: listed.map((business, i) => ({
        '@type': 'ListItem',
        position: i + 1,
        item: listedData(business, publicUrl, { city: name, state: state.code }),
      })),
    }),
  }
}

function strainHead(site: Site, { name, path, type, breeder }: StrainContent): PageMetadata {
  const facts = [type && `${type} strain`, breeder && `bred by ${breeder}`].filter(Boolean).join(', ')
  return {
    head: headOf(site, path, {
      title: `${name}: type, lineage and where to find it`,
      description: `${name}${facts ? `: ${facts}` : ''}. Find the licensed shops near you that have it in stock.`,
    }),
    data: graph(breadcrumbs(site, [{ name, path }])),
  }
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

function headOf(
  site: { brand: Brand; config: { publicUrl: string } },
  path: string,
  words: Pick<PageHead, 'title' | 'description'>,
  isIndexed = true,
): PageHead {
  const { brand, config } = site
  return {
    title: `${words.title} · ${brand.name}`,
    description: words.description,
    face: {
      url: config.publicUrl + path,
      image: `${config.publicUrl}/preview.png`,
      imageAlt: `${brand.name}: ${brand.tagline}`,
      isIndexed,
    },
  }
}

const graph = (...things: object[]) => ({ '@context': 'https://schema.org', '@graph': things })

const breadcrumbs = ({ config }: Site, trail: readonly Pick<PlaceCount, 'name' | 'path'>[]) => ({
  '@type': 'BreadcrumbList',
  itemListElement: trail.map(({ name, path }, i) => ({ '@type': 'ListItem', position: i + 1, name, item: config.publicUrl + path })),
})

const listOfPlaces = ({ config }: Site, places: readonly PlaceCount[]) => ({
  '@type': 'ItemList',
  itemListElement: places.map(({ name, path }, i) => ({ '@type': 'ListItem', position: i + 1, name, url: config.publicUrl + path })),
})
