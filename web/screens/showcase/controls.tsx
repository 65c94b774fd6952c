import { Bell, Heart, MessageSquare, Plus, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { Badge } from '#web/ui/badge.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { Cover } from '#web/ui/cover/cover.tsx'
import { LoadMore } from '#web/ui/paged-list.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { StarInput } from '#web/ui/star-input.tsx'
import { Stars } from '#web/ui/stars.tsx'
import { Stepper } from '#web/ui/stepper.tsx'
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { Row, Specimen } from './specimen.tsx'

export function Controls() {
  return (
    <>
      <Specimen title="Buttons" note="One primary per view. Gold is only for the primary plan.">
        {() => (
          <>
            <Row label="Variants">
              <Button>Primary</Button>
              <Button variant="secondary">Secondary</Button>
              <Button variant="quiet">Quiet</Button>
              <Button variant="danger">
                <Trash2 aria-hidden="true" /> Delete post
              </Button>
              <Button variant="gold">Select Premium</Button>
            </Row>
            <Row label="Sizes">
              <Button size="sm">Small</Button>
              <Button size="md">
                <Plus aria-hidden="true" /> Medium
              </Button>
              <Button size="lg">Large</Button>
            </Row>
            <Row label="Waiting">
              <Button pending pendingText="Creating...">
                Create
              </Button>
              <Button variant="secondary" pending pendingText="Joining...">
                Join Community
              </Button>
              <Button variant="secondary" pending>
                Retry
              </Button>
            </Row>
            <Row label="Disabled">
              <Button disabled>Continue</Button>
              <Button variant="secondary" disabled>
                Back
              </Button>
              <Button variant="quiet" disabled>
                Skip
              </Button>
            </Row>
          </>
        )}
      </Specimen>
      <Specimen title="Icon buttons">{() => <IconButtons />}</Specimen>
      <Specimen title="Chips">{() => <Chips />}</Specimen>
      <Specimen title="Badges">
        {() => (
          <Row>
            <Badge variant="verified">Verified</Badge>
            <Badge>Unclaimed</Badge>
            <Badge variant="outline">Dispensary</Badge>
            <Badge variant="leaf">Active</Badge>
            <Badge variant="clay">Out of Stock</Badge>
          </Row>
        )}
      </Specimen>
      <Specimen title="Stars">{() => <StarSpecimens />}</Specimen>
      <Specimen title="Tabs">
        {() => (
          <Tabs defaultValue="products">
            <TabList aria-label="Business">
              <Tab value="products">Products</Tab>
              <Tab value="posts">Posts</Tab>
              <Tab value="reviews">Reviews</Tab>
              <Tab value="tools">Business Tools</Tab>
              <Tab value="closed" disabled>
                Closed
              </Tab>
            </TabList>
            <TabPanel value="products">No products available yet.</TabPanel>
            <TabPanel value="posts">No posts available yet.</TabPanel>
            <TabPanel value="reviews">No reviews yet.</TabPanel>
            <TabPanel value="tools">Sell subscriptions at your own price.</TabPanel>
          </Tabs>
        )}
      </Specimen>
      <Specimen title="Stepper">
        {() => (
          <div className="grid gap-6">
            <Stepper steps={['Account type', 'Birthday', 'Basic info']} current={2} />
            <Stepper steps={['Account type', 'Birthday', 'Basic info', 'Business info']} current={4} />
          </div>
        )}
      </Specimen>
      <Specimen title="Progress">
        {() => (
          <div className="grid gap-4">
            <Progress label="Photos uploaded" value={64} />
            <Progress label="Checklist" value={3} max={5} />
            <Progress label="Reading the file" />
          </div>
        )}
      </Specimen>
      <Specimen title="Load More">{() => <LoadMoreSpecimen />}</Specimen>
    </>
  )
}

function IconButtons() {
  const [favorite, setFavorite] = useState(true)
  return (
    <Row>
      <IconButton label="Notifications, 3 unread" count={3}>
        <Bell />
      </IconButton>
      <IconButton label="Messages, 120 unread" count={120}>
        <MessageSquare />
      </IconButton>
      <IconButton label="Add" variant="outline">
        <Plus />
      </IconButton>
      <IconButton label="Delete" size="sm">
        <Trash2 />
      </IconButton>
      <IconButton label="Messages" disabled>
        <MessageSquare />
      </IconButton>
      <span className="relative w-40 overflow-hidden rounded-card">
        <Cover id="icon buttons" type="farm" />
        <IconButton
          variant="floating"
          label="Favorite"
          aria-pressed={favorite}
          onClick={() => setFavorite(!favorite)}
          className="absolute top-2 right-2"
        >
          <Heart />
        </IconButton>
      </span>
    </Row>
  )
}

function Chips() {
  const [chosen, setChosen] = useState('All')
  return (
    <Row>
      {['All', 'Farms', 'Dispensaries', 'More'].map((name) => (
        <Chip key={name} pressed={chosen === name} onClick={() => setChosen(name)}>
          {name}
        </Chip>
      ))}
    </Row>
  )
}

function StarSpecimens() {
  const id = useId()
  const [stars, setStars] = useState<number | null>(4)
  const [none, setNone] = useState<number | null>(null)
  return (
    <div className="grid gap-5">
      <Row>
        <Stars rating={4.75} count={418} />
        <Stars rating={3.25} count={1} />
        <Stars rating={5} size="md" />
        <Stars rating={0} count={0} />
      </Row>
      <StarInput legend="Your rating" name={`${id}-rated`} value={stars} onValueChange={setStars} />
      <StarInput
        legend="Your rating"
        name={`${id}-unrated`}
        value={none}
        onValueChange={setNone}
        error={none === null ? 'A rating is required' : null}
      />
    </div>
  )
}

function LoadMoreSpecimen() {
  const [pending, setPending] = useState(false)
  return (
    <LoadMore
      pending={pending}
      onClick={() => {
        setPending(true)
        setTimeout(() => setPending(false), 1500)
      }}
    />
  )
}
