import type { Brand } from '#contracts/brand.ts'
import { businessTypePluralLabels } from '#contracts/business-types.ts'
import {
  type CityContent,
  type PlaceCount,
  type PlacesContent,
  placesPath,
  type StateContent,
  type StrainContent,
} from '#contracts/visitor-pages.ts'
import { listedData } from '#server/features/public-menu/index.ts'
import type { Context } from '#server/kernel/context.ts'
import type { PageHead } from './page-head.ts'

/** Heads and structured data (schema.org) of the pages of places and strains. */

type Site = Pick<Context, 'brand' | 'config'>
type Described = { head: PageHead; data: object | null }

export function placesHead(site: Site, { states, cities }: PlacesContent): Described {
  const path = placesPath()
  return {
    head: headOf(site, path, {
      title: 'Licensed cannabis businesses by state and city',
      description: `Licensed dispensaries, farms and delivery services in ${states.length} states, from public license records.`,
    }),
    data: graph(breadcrumbs(site, [{ name: 'Places', path }]), listOfPlaces(site, [...states, ...cities])),
  }
}

export function stateHead(site: Site, { state, cities }: StateContent): Described {
  const places = `${cities.length} ${cities.length === 1 ? 'city' : 'cities'}`
  return {
    head: headOf(
      site,
      state.path,
      {
        title: `Licensed cannabis businesses in ${state.name}`,
        description: `${number(state.count)} licensed cannabis businesses in ${places} of ${state.name}, from public license records.`,
      },
      state.count > 0,
    ),
    data: graph(breadcrumbs(site, [{ name: 'Places', path: placesPath() }, state]), listOfPlaces(site, cities)),
  }
}

export function cityHead(site: Site, content: CityContent): Described {
  const { name, state, types, type, businesses, path } = content
  const { publicUrl } = site.config
  const place = `${name}, ${state.code}`
  const count = types.find((each) => each.type === type)?.count ?? 0
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
          count > 0
            ? `${number(count)} licensed ${kind} in ${place}: license, hours, phone and rating.`
            : `Licensed businesses near ${place}.`,
      },
      type !== null && content.isFirstPage,
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

export function strainHead(site: Site, { name, path, type, breeder }: StrainContent): Described {
  const facts = [type && `${type} strain`, breeder && `bred by ${breeder}`].filter(Boolean).join(', ')
  return {
    head: headOf(site, path, {
      title: `${name}: type, lineage and who has it`,
      description: `${name}${facts ? `: ${facts}` : ''}. Find the licensed shops near you that have it in stock.`,
    }),
    data: graph(breadcrumbs(site, [{ name, path }])),
  }
}

const number = (value: number) => value.toLocaleString('en-US')
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
