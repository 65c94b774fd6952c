import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { Button, type ButtonSize } from '../../ui/button.tsx'
import { offerOptions } from '../billing/billing.api.ts'
import { formatPrice } from './format-price.ts'

/** "$5 per month"; null while it is not known, or where there is no price. */
export function useMonthlyPrice(businessId: string, isAsked: boolean): string | null {
  const { data: offer } = useQuery({ ...offerOptions(businessId), enabled: isAsked })
  return offer?.price ? `${formatPrice(offer.price, offer.currency).replace(/\.00$/, '')} per month` : null
}

export const Price = ({ price }: { price: string | null }) => price && <span className="font-normal opacity-90">{price}</span>

/** Leads a visitor to signing in and back here. */
export function VisitorSubscribe({ size, price }: { size?: ButtonSize | undefined; price: string | null }) {
  const here = useLocation({ select: ({ href }) => href })
  return (
    <Button asChild size={size}>
      <a href={`/api/login?returnTo=${encodeURIComponent(here)}`}>
        Subscribe
        <Price price={price} />
      </a>
    </Button>
  )
}
