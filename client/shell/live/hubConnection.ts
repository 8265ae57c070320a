import { type HubConnection, HubConnectionBuilder, type IHttpConnectionOptions, LogLevel } from '@microsoft/signalr'

/** Pauses before a lost connection is tried again; after the last of them it is given up (behaviour B-203). */
const pausesMs = [0, 2000, 10_000, 30_000]
/** How long a server may be silent before it counts as gone, and how often this side says that it is there (behaviour B-204). */
const silenceMs = 30_000
const keepAliveMs = 15_000
/** Bytes of calls that are kept, to be sent again over the next line (behaviour B-205). */
const bufferBytes = 100_000

/** The connection to the hub of an organisation, by the standard client and with the times that every client of it keeps. */
export function connectionTo(url: string, options: IHttpConnectionOptions): HubConnection {
  return new HubConnectionBuilder()
    .withUrl(url, options)
    .withAutomaticReconnect(pausesMs)
    .withStatefulReconnect({ bufferSize: bufferBytes })
    .withServerTimeout(silenceMs)
    .withKeepAliveInterval(keepAliveMs)
    .configureLogging(LogLevel.None)
    .build()
}
