import { ArrowLeft, Globe, MapPin, Navigation, Phone } from 'lucide-react'
import type { ReactNode } from 'react'
import { phoneLink } from '#contracts/addresses.ts'
import { businessTypeLabels } from '#contracts/business-types.ts'
import type { Business } from '#contracts/businesses.ts'
import type { Location } from '#contracts/locations.ts'
import { hasMenu, type ItemContent, itemPath, type MenuContent, menuPath } from '#contracts/visitor-pages.ts'
import { AmenityList, BusinessLogo, SocialLinks } from '#web/entities/businesses/business-extras.tsx'
import { ClosureNotice, MoveNotice } from '#web/entities/businesses/business-notices.tsx'
import { BusinessPicture } from '#web/entities/businesses/business-picture.tsx'
import { directionsUrl, wholeAddress } from '#web/entities/businesses/directions.ts'
import { LicenseBadge, OriginBadge } from '#web/entities/businesses/license-badge.tsx'
import { LicensePanel } from '#web/entities/businesses/license-panel.tsx'
import { OpenLine } from '#web/entities/locations/hours-list.tsx'
import { possessive } from '#web/lib/format.ts'
import { HoursDetails, OtherLocation } from '#web/screens/business/location-details.tsx'
import ProductGroups, { MenuAge } from '#web/screens/business/product-groups.tsx'
import { ProductView, ShopHead } from '#web/screens/products/product-view.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { Card, CardBody } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { cardLink, textLink } from '#web/ui/link-styles.ts'
import { Stars } from '#web/ui/stars.tsx'
import { Categories, Filters, Locations, MenuSearch } from './menu-filters.tsx'
import { PlaceAgeGate } from './places-page.tsx'

/** At `/menu/{slug}`, for everyone. Works without scripts. */
export function MenuPage({ content }: { content: MenuContent }) {
  const { business, locations } = content
  const [main, ...others] = locations
  return (
    <div data-visited={business.id} className="mx-auto max-w-page px-4 pb-16 sm:px-6 sm:pt-6">
      <Head content={content} />
      <div className="mt-7 grid items-start gap-x-10 gap-y-7 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="min-w-0">
          <Menu content={content} />
          <Photos business={business} gallery={content.extras.gallery} />
        </div>
        <div className="grid gap-4">
          <Card asChild>
            <section aria-label="Contact">
              <CardBody>
                <h2 className="mb-3 text-lg">Contact</h2>
                <Contact business={business} main={main} />
                <AmenityList amenities={business.amenities} className="mt-3 border-line border-t pt-3" />
                {content.extras.socialLinks.length > 0 && (
                  <div className="mt-3">
                    <SocialLinks name={business.name} links={content.extras.socialLinks} />
                  </div>
                )}
              </CardBody>
            </section>
          </Card>
          <Card asChild>
            <section aria-label="License">
              <CardBody>
                <h2 className="mb-3 text-lg">License</h2>
                <LicensePanel business={business} />
              </CardBody>
            </section>
          </Card>
          {others.length > 0 && (
            <Card asChild>
              <section aria-label="Other locations">
                <CardBody className="grid gap-5">
                  <h2 className="text-lg">Other locations</h2>
                  {others.map((location) => (
                    <OtherLocation key={location.id} location={location} isClosed={business.closure !== null} />
                  ))}
                </CardBody>
              </section>
            </Card>
          )}
          <p className="text-sm">
            <a href={`/business/${business.slug}`} className={textLink}>
              Reviews and posts for {business.name}
            </a>
          </p>
          {content.place && (
            <p className="text-sm">
              <a href={content.place.path} className={textLink}>
                More licensed businesses in {content.place.label}
              </a>
            </p>
          )}
        </div>
      </div>
    </div>
  )
}

function Head({ content }: { content: MenuContent }) {
  const { business } = content
  const { name, type, location, averageRating, totalRatings, logoUrl } = business
  return (
    <header>
      <div className="overflow-clip border-line max-sm:-mx-4 max-sm:border-b sm:rounded-card sm:border">
        <BusinessPicture business={business} eager className="h-28 object-cover sm:h-44" />
      </div>
      <div className="mt-5 flex items-center gap-4">
        <BusinessLogo logoUrl={logoUrl} />
        <div className="min-w-0">
          <h1 className="text-2xl wrap-anywhere sm:text-3xl">{name}</h1>
          <p className="mt-1.5 text-muted">
            {businessTypeLabels[type]} · {location ?? 'Location not set'}
          </p>
        </div>
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Stars rating={averageRating} count={totalRatings} size="md" />
        <LicenseBadge business={business} />
        <OriginBadge business={business} />
      </div>
      <ClosureNotice business={business} className="mt-3" />
      <MoveNotice business={business} className="mt-3" />
      {business.openNow && business.timeZone && (
        <p className="mt-2 text-[0.9375rem]">
          <OpenLine location={{ openNow: business.openNow, timeZone: business.timeZone }} />
        </p>
      )}
      <ContactLinks content={content} className="mt-4" />
    </header>
  )
}

function Photos({ business, gallery }: { business: Business; gallery: MenuContent['extras']['gallery'] }) {
  if (gallery.length === 0) return null
  return (
    <section aria-labelledby="photos" className="mt-10">
      <h2 id="photos" className="mb-4 text-xl">
        Photos
      </h2>
      <ul className="grid grid-cols-2 gap-2 sm:grid-cols-3">
        {gallery.map(({ id, media: { kind, sources, videoUrl, alt, width, height } }, i) => (
          <li key={id} className="aspect-[4/3] overflow-clip rounded-input border border-line bg-sunk">
            {kind === 'video' ? (
              // biome-ignore lint/a11y/useMediaCaption: members’ short videos have no captions; `alt` describes them
              <video src={videoUrl ?? undefined} aria-label={alt || 'Video'} controls preload="none" className="size-full object-contain" />
            ) : (
              <a href={sources.at(-1)?.webp}>
                <img
                  src={sources[0]?.webp}
                  alt={alt || `Photo ${i + 1} of ${business.name}`}
                  width={width}
                  height={height}
                  loading="lazy"
                  decoding="async"
                  className="size-full object-cover"
                />
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Contact({ business, main }: { business: Business; main: Location | undefined }) {
  return (
    <div className="grid gap-3 text-[0.9375rem] pointer-coarse:gap-5.5">
      <p className="flex gap-3">
        <MapPin aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-muted" />
        <span className="min-w-0 wrap-anywhere">{wholeAddress(business) ?? business.location ?? 'Location not set'}</span>
      </p>
      {business.phone && (
        <p className="flex gap-3">
          <Phone aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-muted" />
          <a href={phoneLink(business.phone)} data-visit="call" className={`${textLink} touch-target`}>
            {business.phone}
          </a>
        </p>
      )}
      {!business.closure && (main?.openNow ? <HoursDetails location={main} /> : <p className="text-muted">Hours not listed.</p>)}
    </div>
  )
}

function Menu({ content }: { content: MenuContent }) {
  const { business, menu, isAgeKnown, filter } = content
  if (!hasMenu(business)) {
    return (
      <Section>
        <p className="text-muted">This business hasn’t listed its menu yet.</p>
      </Section>
    )
  }
  if (business.closure) {
    return (
      <Section>
        <p className="text-muted">Prices aren’t shown while the business is closed.</p>
      </Section>
    )
  }
  if (!menu) {
    return (
      <Section>
        <PlaceAgeGate
          age={business.productAge}
          isAgeKnown={isAgeKnown}
          returnTo={`${menuPath(business.slug, filter)}#menu`}
          refusal={`This menu is for people ${business.productAge.minimumAge} or older.`}
        />
      </Section>
    )
  }
  if (menu.itemCount === 0) {
    return (
      <Section>
        <Locations content={content} />
        <p className="text-muted">No products available yet.</p>
      </Section>
    )
  }
  const { q, category, strainType, inStock, onSale, location, sort = 'category' } = filter
  const isNarrowed = Boolean(q ?? category ?? strainType ?? inStock ?? onSale)
  return (
    <Section>
      <MenuSearch content={content} />
      <Categories content={content} menu={menu} />
      <Filters content={content} menu={menu} />
      {menu.confirmedAt && (
        <p className="mt-3 flex flex-wrap items-center gap-x-2 text-muted text-sm">
          <MenuAge at={menu.confirmedAt} isTaxIncluded={menu.items[0]?.isTaxIncluded} />
        </p>
      )}
      <div className="mt-5">
        {menu.items.length > 0 ? (
          <ProductGroups
            products={menu.items}
            business={business}
            counts={isNarrowed ? null : menu.categories}
            sort={sort}
            nameOf={({ id, name }) => (
              <a href={itemPath(business.slug, id, location)} className={cardLink}>
                {name}
              </a>
            )}
          />
        ) : (
          <div className="grid justify-items-center gap-3 rounded-card border border-line border-dashed px-5 py-10 text-center">
            <p className="font-medium">{isNarrowed ? 'No items on this menu match.' : 'No more items.'}</p>
            <a href={menuPath(business.slug, { location, sort: filter.sort })} className={buttonClass('secondary')}>
              Show the whole menu
            </a>
          </div>
        )}
      </div>
      {menu.nextCursor && (
        <a
          href={`${menuPath(business.slug, { ...filter, cursor: menu.nextCursor })}#menu`}
          className={buttonClass('secondary', 'lg', 'mt-6 w-full')}
        >
          Show more items
        </a>
      )}
    </Section>
  )
}

const Section = ({ children }: { children: ReactNode }) => (
  <section id="menu" aria-labelledby="menu-heading">
    <h2 id="menu-heading" className="mb-4 text-xl">
      Menu
    </h2>
    {children}
  </section>
)

type ContactLinksProps = { content: Pick<MenuContent, 'business' | 'device'>; className?: string }

function ContactLinks({ content: { business, device }, className }: ContactLinksProps) {
  const { phone, website } = business
  const directions = directionsUrl(business, 'device', device)
  if (!phone && !directions && !website) return null
  return (
    <div className={cx('flex flex-wrap gap-2 max-sm:*:flex-1', className)}>
      {phone && (
        <a href={phoneLink(phone)} data-visit="call" className={buttonClass('secondary')}>
          <Phone aria-hidden="true" />
          Call
        </a>
      )}
      {directions && (
        <a href={directions} data-visit="directions" rel="noreferrer" className={buttonClass('secondary')}>
          <Navigation aria-hidden="true" />
          Directions
        </a>
      )}
      {website && (
        <a href={website} data-visit="site" rel="noreferrer nofollow" className={buttonClass('secondary')}>
          <Globe aria-hidden="true" />
          Website
        </a>
      )}
    </div>
  )
}

/** At `/menu/{slug}/{id}`, for everyone. Works without scripts. */
export function ItemPage({ content }: { content: ItemContent }) {
  const { business, locations, product, isAgeKnown, id, location, strainPath } = content
  const path = menuPath(business.slug, { location })
  return (
    <div data-visited={business.id} className="mx-auto max-w-page px-4 pt-5 pb-16 sm:px-6">
      <p className="mb-4">
        <a href={`${path}#menu`} className={`${textLink} touch-target inline-flex items-center gap-1.5`}>
          <ArrowLeft aria-hidden="true" className="size-4.5" />
          {possessive(business.name)} menu
        </a>
      </p>
      <div className="grid items-start gap-x-10 gap-y-7 lg:grid-cols-[minmax(0,1fr)_22rem]">
        {product ? (
          <ProductView
            product={product}
            businessId={business.id}
            location={locations.find((each) => each.id === location)}
            strainPath={strainPath}
          />
        ) : (
          <div className="max-w-text">
            <h1 className="mb-5 text-2xl">An item on {possessive(business.name)} menu</h1>
            <PlaceAgeGate
              age={business.productAge}
              isAgeKnown={isAgeKnown}
              returnTo={itemPath(business.slug, id, location)}
              refusal={`This item is for people ${business.productAge.minimumAge} or older.`}
            />
          </div>
        )}
        <Card asChild>
          <section aria-label="Shop">
            <CardBody className="grid gap-4">
              <ShopHead business={business}>
                <a href={path} className="hover:underline hover:underline-offset-3">
                  {business.name}
                </a>
              </ShopHead>
              <ContactLinks content={content} />
              {product && business.isClaimed && product.variants.some(({ memberPrice }) => memberPrice !== null) && (
                <p className="text-muted text-sm">
                  Subscriber prices are for people who{' '}
                  <a href={`/business/${business.slug}`} className={textLink}>
                    subscribe to {business.name}
                  </a>
                  .
                </p>
              )}
            </CardBody>
          </section>
        </Card>
      </div>
    </div>
  )
}
