import { FileCheck2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { businessTypeLabels } from '#contracts/business-types.ts'
import type { Business } from '#contracts/businesses.ts'
import type { Location } from '#contracts/locations.ts'
import type { Product } from '#contracts/menus.ts'
import { ClosureNotice } from '#web/entities/businesses/business-notices.tsx'
import { BusinessThumb } from '#web/entities/businesses/business-picture.tsx'
import { LicenseBadge, OriginBadge } from '#web/entities/businesses/license-badge.tsx'
import { OpenLine } from '#web/entities/locations/hours-list.tsx'
import { Confirmed, useIsStale } from '#web/entities/menus/confirmed.tsx'
import { ProductPicture } from '#web/entities/menus/product-picture.tsx'
import { kindWords, makerWords, perGramWords, weightWords } from '#web/entities/menus/product-words.ts'
import { SizeList } from '#web/entities/menus/size-list.tsx'
import { useCountedWhenSeen } from '#web/lib/count-visit.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { Badge } from '#web/ui/badge.tsx'
import { cx } from '#web/ui/cx.ts'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { textLink } from '#web/ui/link-styles.ts'

type ProductViewProps = {
  product: Product
  businessId: string
  /** The location whose prices and stock are shown, if one is chosen. */
  location: Pick<Location, 'name'> | undefined
  /** Path of the page about the item's strain, with other shops that sell it. Null if the strain has no page. */
  strainPath: string | null
}

export function ProductView({ product, businessId, location, strainPath }: ProductViewProps) {
  const seen = useCountedWhenSeen<HTMLElement>(businessId, 'product', product.id)
  const { name, description, category, subcategory, image, isAvailable, isOnSale, confirmedAt } = product
  const maker = makerWords(product)
  const kind = kindWords(product)
  const isStale = useIsStale(confirmedAt)
  return (
    <article ref={seen} className="grid items-start gap-x-8 gap-y-5 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      <ProductPicture
        product={product}
        sizes="(min-width: 40rem) 22rem, 20rem"
        className={cx(
          'aspect-square w-full rounded-card sm:max-w-none',
          image ? 'max-w-80' : 'max-w-44',
          !isAvailable && 'opacity-60 grayscale',
        )}
      />
      <div className="grid min-w-0 gap-5">
        <div>
          <p className="text-muted text-sm">{[category, subcategory].filter(Boolean).join(' · ')}</p>
          <h1 className="mt-1 text-2xl wrap-anywhere sm:text-3xl">{name}</h1>
          {maker && <p className="mt-1.5 text-muted wrap-anywhere">{maker}</p>}
          {kind.length > 0 && <p className="mt-1.5 tabular-nums">{kind.join(' · ')}</p>}
          {(isOnSale || !isAvailable) && (
            <p className="mt-3">{isAvailable ? <Badge variant="leaf">On sale</Badge> : <Badge variant="clay">Out of Stock</Badge>}</p>
          )}
        </div>
        <div className="grid gap-3">
          {location && <p className="font-medium wrap-anywhere">Price and stock at {location.name}</p>}
          <SizeList product={product} isLarge />
          <p className="flex flex-wrap items-center gap-x-2 text-muted text-sm">
            <Confirmed at={confirmedAt} className="text-sm!" />
            {isStale && <span>Price and stock may have changed. Check before you go.</span>}
          </p>
        </div>
        {description && <p className="max-w-text whitespace-pre-line wrap-anywhere">{description}</p>}
        <Details product={product} strainPath={strainPath} />
      </div>
    </article>
  )
}

function Details({ product, strainPath }: Pick<ProductViewProps, 'product' | 'strainPath'>) {
  const mass = useCurrentUser()?.preferences.mass
  const { strain, variants, certificateUrl } = product
  const batches = variants.filter(({ batch }) => batch !== null)
  const isOne = new Set(batches.map(({ batch }) => batch)).size === 1
  return (
    <Facts className="text-[0.9375rem]">
      <Fact name="Strain">
        {strainPath ? (
          <a href={strainPath} className={textLink}>
            {strain}
          </a>
        ) : (
          strain
        )}
      </Fact>
      <Fact name="Price per gram">{variants.length > 1 && perGramWords(product)}</Fact>
      <Fact name={batches.length > 1 && !isOne ? 'Batches' : 'Batch'}>
        {isOne
          ? batches[0]?.batch
          : batches.map((variant) => [weightWords(variant, mass, product.category), variant.batch].filter(Boolean).join(': ')).join(', ')}
      </Fact>
      <Fact name="Lab certificate">
        {certificateUrl && (
          <a href={certificateUrl} target="_blank" rel="noopener" className={`${textLink} inline-flex items-center gap-1.5`}>
            <FileCheck2 aria-hidden="true" className="size-4" />
            Open PDF
            <span className="sr-only"> (in a new tab)</span>
          </a>
        )}
      </Fact>
    </Facts>
  )
}

type ShopHeadProps = {
  business: Business
  children: ReactNode
  /** "1.4 mi" */
  distance?: string | null
}

export function ShopHead({ business, distance, children }: ShopHeadProps) {
  const { type, location, openNow, timeZone, closure } = business
  return (
    <>
      <div className="flex gap-3">
        <BusinessThumb business={business} className="size-12" />
        <div className="min-w-0">
          <h2 className="text-lg wrap-anywhere">{children}</h2>
          <p className="text-muted text-sm">
            {[businessTypeLabels[type], location ?? 'Location not set', distance && `${distance.replaceAll(' ', '\u00a0')} away`]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
      </div>
      <div className="flex flex-wrap gap-2 empty:hidden">
        <LicenseBadge business={business} />
        <OriginBadge business={business} />
      </div>
      <ClosureNotice business={business} />
      {!closure && (
        <p className="text-[0.9375rem]">
          {openNow && timeZone ? <OpenLine location={{ openNow, timeZone }} /> : <span className="text-muted">Hours not listed</span>}
        </p>
      )}
    </>
  )
}
