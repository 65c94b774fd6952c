import { linkOptions } from '@tanstack/react-router'
import { Compass, Heart, House, SquarePen } from 'lucide-react'

// Where a signed-in person can go from the headers and the bottom bar; what their menus add is in account-destinations.ts. A screen that
// does not exist yet is not in these lists; when it does, it is one line more in each list it belongs to.

const home = { label: 'Home', Icon: House, link: linkOptions({ to: '/' }) }
const discover = { label: 'Discover', Icon: Compass, link: linkOptions({ to: '/discover' }) }
const feed = { label: 'Feed', Icon: House, link: linkOptions({ to: '/' }) }
export const favorites = { label: 'Favorites', Icon: Heart, link: linkOptions({ to: '/favorites' }) }
const createPost = { label: 'Post', Icon: SquarePen, link: linkOptions({ to: '/create-post' }) }

/** The navigation of the top header. */
export const mainDestinations = [home, discover, favorites]
/** The navigation of the bottom bar; a wide header has a button for the post instead. */
export const barDestinations = [home, discover, createPost, favorites]
/** The navigation of the simple header. */
export const simpleDestinations = [discover, feed, favorites]
