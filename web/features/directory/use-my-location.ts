import { useState } from 'react'

export type Locating = { status: 'idle' | 'asking' } | { status: 'failed'; message: string }

/** Two decimals are about half a mile: enough for "near me", and no address. */
export const roundedPoint = ({ latitude, longitude }: { latitude: number; longitude: number }) =>
  `${latitude.toFixed(2)},${longitude.toFixed(2)}`

/** Asks the browser where the person is, and only when `locate` is called. */
export function useMyLocation(onFound: (point: string) => void) {
  const [state, setState] = useState<Locating>({ status: 'idle' })
  const locate = () => {
    if (!('geolocation' in navigator)) return setState({ status: 'failed', message: messages.unavailable })
    setState({ status: 'asking' })
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setState({ status: 'idle' })
        onFound(roundedPoint(coords))
      },
      ({ code, PERMISSION_DENIED }) =>
        setState({ status: 'failed', message: code === PERMISSION_DENIED ? messages.denied : messages.unavailable }),
      { maximumAge: 5 * 60_000, timeout: 15_000 },
    )
  }
  return { state, locate, forget: () => setState({ status: 'idle' }) }
}

const messages = {
  denied: 'Your browser does not share your location with this site. Enter a city or ZIP code instead.',
  unavailable: 'Your location could not be found. Enter a city or ZIP code instead.',
}
