import {
  BadgeAlert,
  BadgeCheck,
  CircleCheck,
  Dna,
  Heart,
  type LucideIcon,
  Mail,
  Megaphone,
  MessageCircle,
  MessageSquareReply,
  PackageCheck,
  PackagePlus,
  PenLine,
  Reply,
  Scale,
  Sprout,
  Star,
  ThumbsUp,
  UserPlus,
  UsersRound,
  Wheat,
} from 'lucide-react'
import type { NotificationType } from '../../../contracts/notifications.ts'

type Words = { label: string; Icon: LucideIcon }

/** The badge of each type, and its sign. */
export const typeWords: Record<NotificationType, Words> = {
  business_post: { label: 'Business post', Icon: Megaphone },
  farm_update: { label: 'Farm update', Icon: Sprout },
  harvest_ready: { label: 'Harvest ready', Icon: Wheat },
  new_product: { label: 'New product', Icon: PackagePlus },
  product_update: { label: 'Product update', Icon: PackageCheck },
  person_post: { label: 'Post', Icon: PenLine },
  like: { label: 'Like', Icon: Heart },
  comment: { label: 'Comment', Icon: MessageCircle },
  reply: { label: 'Reply', Icon: Reply },
  follow: { label: 'Follower', Icon: UserPlus },
  subscriber: { label: 'Subscriber', Icon: UserPlus },
  review: { label: 'Review', Icon: Star },
  review_reply: { label: 'Answer', Icon: MessageSquareReply },
  helpful: { label: 'Helpful', Icon: ThumbsUp },
  license_verified: { label: 'License', Icon: BadgeCheck },
  license_rejected: { label: 'License', Icon: BadgeAlert },
  license_expiring: { label: 'License', Icon: BadgeAlert },
  license_ended: { label: 'License', Icon: BadgeAlert },
  license_unproven: { label: 'License', Icon: BadgeAlert },
  hunt_shared: { label: 'Pheno hunt', Icon: Dna },
  hunt_comment: { label: 'Comment', Icon: MessageCircle },
  community_request: { label: 'Community', Icon: UsersRound },
  community_joined: { label: 'Community', Icon: UsersRound },
  community_invitation: { label: 'Invitation', Icon: UsersRound },
  answer_accepted: { label: 'Answer', Icon: CircleCheck },
  message: { label: 'Message', Icon: Mail },
  message_request: { label: 'Message', Icon: Mail },
  moderation_notice: { label: 'Moderators', Icon: Scale },
  appeal_decided: { label: 'Appeal', Icon: Scale },
}

/** What the types mean, a few at a time: for the card beside the list. */
export const typeGroups: readonly { title: string; text: string; Icon: LucideIcon }[] = [
  { title: 'Posts and farm updates', text: 'News from businesses and people you follow, harvests included.', Icon: Sprout },
  { title: 'Products', text: 'New and changed products of businesses you follow.', Icon: PackagePlus },
  { title: 'Likes, comments and replies', text: 'What others say to what you wrote.', Icon: MessageCircle },
  { title: 'Followers and subscribers', text: 'Who follows you, or subscribes to your business.', Icon: UserPlus },
  { title: 'Reviews', text: 'Reviews of your business, answers to yours, and whom yours helped.', Icon: Star },
  { title: 'Communities', text: 'Requests, invitations, and answers of yours that were accepted.', Icon: UsersRound },
]
