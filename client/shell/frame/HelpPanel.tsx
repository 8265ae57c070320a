import { ActionIcon, Button, Skeleton, TextInput } from '@mantine/core'
import { useDebouncedValue, useLocalStorage } from '@mantine/hooks'
import { IconArrowLeft, IconBook, IconListCheck, IconMap, IconSearch, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { setUpPermissions } from '../../../domain/people/permissions.ts'
import { RichTextView } from '../../ui/labels/RichTextView.tsx'
import { toPublicError, trpc } from '../api.ts'
import { usePermissionCheck } from '../core.ts'
import { helpArticle, hiddenFirstStepsStorageKey, tourStep } from '../help.ts'
import { LoadFailed } from '../LoadFailed.tsx'
import { useScreens } from '../screens/useScreens.ts'
import { confirmDiscard } from '../unsavedChanges.ts'
import classes from './HelpPanel.module.css'

const pauseMs = 150

/** The help panel: articles for the current screen, a search of all articles, or the article that the user is reading. */
export function HelpPanel() {
  const slug = helpArticle.use() ?? ''
  const heading = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new article is read from its heading
  useEffect(() => heading.current?.focus(), [slug])
  return (
    <aside className={classes.panel} aria-label="Help">
      <div className={classes.head}>
        {slug && (
          <ActionIcon variant="subtle" color="gray" aria-label="All help" onClick={() => helpArticle.set('')}>
            <IconArrowLeft size={18} stroke={1.6} />
          </ActionIcon>
        )}
        <h2 ref={heading} tabIndex={-1}>
          Help
        </h2>
        <ActionIcon variant="subtle" color="gray" aria-label="Close help" onClick={() => helpArticle.set(null)}>
          <IconX size={18} stroke={1.6} />
        </ActionIcon>
      </div>
      <div className={classes.body}>{slug ? <Reading slug={slug} /> : <Topics />}</div>
      <Foot isGlossary={slug === 'glossary'} />
    </aside>
  )
}

function Foot({ isGlossary }: { isGlossary: boolean }) {
  const may = usePermissionCheck()
  const navigate = useNavigate()
  const [away, setAway] = useLocalStorage<number[]>({ key: hiddenFirstStepsStorageKey, defaultValue: [], getInitialValueInEffect: false })
  const goHome = async (then: () => void): Promise<void> => {
    if (!(await confirmDiscard())) return
    then()
    await navigate('/')
  }
  return (
    <div className={classes.foot}>
      {!isGlossary && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconBook size={16} stroke={1.6} />}
          onClick={() => helpArticle.set('glossary')}
        >
          Glossary
        </Button>
      )}
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconMap size={16} stroke={1.6} />}
        onClick={() => void goHome(() => tourStep.set(0))}
      >
        Tour
      </Button>
      {away.length > 0 && may(setUpPermissions) && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconListCheck size={16} stroke={1.6} />}
          onClick={() => void goHome(() => setAway([]))}
        >
          First steps
        </Button>
      )}
    </div>
  )
}

/** The articles for the current screen followed by all other articles, or the results of a search. */
function Topics() {
  const [search, setSearch] = useState('')
  const [searchText] = useDebouncedValue(search.trim(), pauseMs)
  const { pathname } = useLocation()
  const screens = useScreens()
  const all = trpc.communications.help.useQuery(
    { search: searchText.slice(0, 100) },
    { placeholderData: (before) => before, staleTime: 300_000 },
  )
  if (all.isError) return <LoadFailed query={all} />
  if (!all.data) return <Skeleton height={200} />
  const screen = screens
    .filter(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
    .sort((a, b) => b.path.length - a.path.length)[0]
  const isForThisScreen = (topic: { screens: string[] }): boolean => screen !== undefined && topic.screens.includes(screen.path)
  // Leave out articles about screens that the user cannot open.
  const readableTopics = all.data.filter(
    ({ screens: topicScreens }) => !topicScreens.length || topicScreens.some((path) => screens.some((one) => one.path === path)),
  )
  const screenTopics = searchText ? [] : readableTopics.filter(isForThisScreen)
  const others = readableTopics.filter((topic) => !screenTopics.includes(topic))
  return (
    <>
      <TextInput
        type="search"
        aria-label="Search help"
        placeholder="Search help"
        leftSection={<IconSearch size={16} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {screenTopics.length > 0 && <TopicList name="On this screen" topics={screenTopics} />}
      {others.length > 0 && (
        <TopicList name={searchText ? 'Found' : screenTopics.length ? 'Everything else' : 'All help'} topics={others} />
      )}
      {!others.length && !screenTopics.length && <p>Nothing matches.</p>}
    </>
  )
}

function TopicList({ name, topics }: { name: string; topics: { slug: string; title: string }[] }) {
  return (
    <section aria-label={name}>
      <h3>{name}</h3>
      <ul className={classes.topics}>
        {topics.map(({ slug, title }) => (
          <li key={slug}>
            <button type="button" onClick={() => helpArticle.set(slug)}>
              {title}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Reading({ slug }: { slug: string }) {
  const article = trpc.communications.article.useQuery({ slug }, { staleTime: 300_000 })
  const text = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  useEffect(() => {
    const follow = async (event: MouseEvent): Promise<void> => {
      const href = event.target instanceof Element ? event.target.closest('a')?.getAttribute('href') : null
      if (!href?.startsWith('/') || event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      if (href.startsWith('/assist/')) helpArticle.set(href.slice('/assist/'.length))
      else if (await confirmDiscard()) await navigate(href)
    }
    const { current } = text
    const listen = (event: MouseEvent): void => void follow(event)
    current?.addEventListener('click', listen)
    return () => current?.removeEventListener('click', listen)
  }, [navigate])
  return (
    <div ref={text}>
      {article.isError && <p role="alert">{toPublicError(article.error).message}</p>}
      {article.isPending && <Skeleton height={200} />}
      {article.data && (
        <>
          <h3 className={classes.title}>{String(article.data.title)}</h3>
          <RichTextView html={String(article.data.article)} />
        </>
      )}
    </div>
  )
}
