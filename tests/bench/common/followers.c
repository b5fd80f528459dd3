/* Plays many viewers of a live show, each on its own WebSocket, with epoll. Reports how soon each message reached them.

   followers PORT VIEWERS PATH
   Connects VIEWERS viewers, at most 64 at a time without an answer.
   Then the program obeys lines on its standard input:
     expect COUNT   waits until they have received COUNT messages each since the last such line, or 60 s
     survive        waits until all are cut off, as when the server dies, reconnects them at once, and waits until each
                    has the picture, or 60 s
   A message counts if it contains "@@NANOSECONDS@@", the time when it was sent, by CLOCK_MONOTONIC.
   The program answers each line, and its own start, with "DONE MESSAGES P50_MS P99_MS SLOWEST_MS". */

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { AT_ONCE = 64, SLOTS = 1000000, TAIL = 24, ROUND = 512, PATIENCE_MS = 60000, AGAIN_MS = 100,
       MAX_READ = 1 << 18, NAP_NS = 100000 };
#define NO_CHANNEL "\x88\x02\x11\x34" /* a close frame with the code 4404 and no reason: the channel may still open */

typedef struct {
  int fd, asked, open, kept, first;
  char tail[TAIL]; /* the end of the latest bytes read: a mark may be cut in two */
} Viewer;

static Viewer *viewers;
static int count, port, epoll, asking, opened, firsts, has_order, lost;
static const char *path;
static long slots[SLOTS], messages; /* by 10 us */
static double slowest;

static double now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

/* Starts to connect without waiting: if the server accepts nobody at the moment, the other viewers still run. */
static void start_connecting(Viewer *viewer) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct epoll_event event = {.events = EPOLLOUT, .data.ptr = viewer};
  int yes = 1;
  viewer->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (viewer->fd < 0 || (connect(viewer->fd, (struct sockaddr *)&to, sizeof to) && errno != EINPROGRESS)) {
    perror("followers: no connection");
    exit(1);
  }
  setsockopt(viewer->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  epoll_ctl(epoll, EPOLL_CTL_ADD, viewer->fd, &event);
  viewer->asked = viewer->open = viewer->kept = viewer->first = 0;
}

/* Requests the show, once the viewer is connected. */
static void request_show(Viewer *viewer) {
  /* Edge-triggered: otherwise the kernel would check each viewer once more after reading. */
  struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP | EPOLLET, .data.ptr = viewer};
  char text[512];
  int length = snprintf(
      text, sizeof text,
      "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\nUpgrade: websocket\r\n"
      "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
      path, port, port);
  if (send(viewer->fd, text, length, MSG_NOSIGNAL) != length) {
    perror("followers: no connection");
    exit(1);
  }
  epoll_ctl(epoll, EPOLL_CTL_MOD, viewer->fd, &event);
  viewer->asked = 1;
}

static void record_delay(double ms) {
  long slot = ms < 0 ? 0 : (long)(ms * 100);
  slots[slot < SLOTS ? slot : SLOTS - 1]++;
  messages++;
  if (ms > slowest) slowest = ms;
}

/* Reads everything that has arrived. A read that fills less than the room is the last, unless the connection ended. */
static void read_messages(Viewer *viewer, double now, int ended) {
  static char got[TAIL + MAX_READ + 1];
  for (;;) {
    memcpy(got, viewer->tail, viewer->kept);
    long read = recv(viewer->fd, got + viewer->kept, MAX_READ, 0);
    if (read < 0 && errno == EAGAIN) return;
    int refused = !viewer->first && read > 0 && memmem(got + viewer->kept, read, NO_CHANNEL, sizeof NO_CHANNEL - 1);
    if (read <= 0 || refused) {
      close(viewer->fd);
      viewer->fd = -1;
      lost++;
      return;
    }
    if (!viewer->open) {
      viewer->open = 1;
      opened++;
      asking--;
    }
    long whole = viewer->kept + read, kept = whole < TAIL ? whole : TAIL - 1;
    got[whole] = 0;
    char *at = got, *end = got + whole;
    /* the picture: a snapshot, or early in the show all its events */
    if (!viewer->first && (memmem(got, whole, "snapshot", 8) || memmem(got, whole, "tournament_opened", 17))) {
      viewer->first = 1;
      firsts++;
    }
    while ((at = memmem(at, end - at, "@@", 2))) {
      char *stop = memmem(at + 2, end - at - 2, "@@", 2);
      if (!stop) break;
      record_delay(now - atoll(at + 2) / 1e6);
      at = stop + 2;
    }
    if (at) { /* a mark begins here but is incomplete */
      kept = end - at;
      if (kept >= TAIL) kept = 0;
    } else {
      kept = end > got && end[-1] == '@' && (end - got < 2 || end[-2] != '@');
    }
    memcpy(viewer->tail, end - kept, kept);
    viewer->kept = kept;
    if (read < MAX_READ && !ended) return;
  }
}

/* Polls ten thousand times a second instead of being woken: each wake-up would cost the server processor time, which
   viewers on other machines do not. */
static void poll_events(int wait_ms) {
  struct epoll_event events[ROUND];
  struct timespec nap = {.tv_nsec = NAP_NS};
  int ready = epoll_wait(epoll, events, ROUND, 0);
  for (long left = wait_ms < 0 ? LONG_MAX : wait_ms * 1000000L; !ready && left > 0; left -= NAP_NS) {
    nanosleep(&nap, NULL);
    ready = epoll_wait(epoll, events, ROUND, 0);
  }
  double now = now_ms();
  for (int each = 0; each < ready; each++) {
    Viewer *viewer = events[each].data.ptr;
    if (!viewer) has_order = 1;
    else if (viewer->asked) read_messages(viewer, now, events[each].events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR));
    else request_show(viewer);
  }
}

/* Ends the program if a viewer has been cut off unexpectedly. */
static void require_all(void) {
  if (!lost) return;
  fprintf(stderr, "followers: %d cut off\n", lost);
  exit(1);
}

static void answer(void) {
  long want50 = messages / 2, want99 = messages - messages / 100 - 1, seen = 0;
  double p50 = -1, p99 = -1;
  for (long slot = 0; slot < SLOTS && messages; slot++) {
    seen += slots[slot];
    if (p50 < 0 && seen > want50) p50 = slot / 100.0;
    if (p99 < 0 && seen > want99) p99 = slot / 100.0;
  }
  printf("DONE %ld %.2f %.2f %.2f\n", messages, p50, p99, slowest);
  fflush(stdout);
  memset(slots, 0, sizeof slots);
  messages = 0;
  slowest = 0;
}

static void connect_all(int at_once) {
  opened = asking = firsts = 0;
  for (int each = 0; each < count;) {
    while (each < count && asking < at_once) {
      start_connecting(viewers + each++);
      asking++;
    }
    poll_events(asking < at_once ? 0 : 10);
  }
  for (double end = now_ms() + PATIENCE_MS; opened < count && now_ms() < end;) poll_events(10);
  require_all();
  if (opened < count) {
    fprintf(stderr, "followers: %d of %d connected\n", opened, count);
    exit(1);
  }
}

/* Connects all viewers at once, and again those that are cut off. Returns the ms until all have the picture. */
static double reconnect_all(double end) {
  double begun = now_ms(), called = begun;
  for (int each = 0; each < count; each++) viewers[each].fd = -1;
  lost = count, firsts = 0;
  for (double now = begun; firsts < count && now < end; now = now_ms()) {
    if (lost && (now == begun || now - called > AGAIN_MS)) {
      lost = 0, called = now;
      for (int each = 0; each < count; each++)
        if (viewers[each].fd < 0) start_connecting(viewers + each);
    }
    poll_events(5);
  }
  return now_ms() - begun;
}

int main(int arguments, char **words) {
  struct rlimit files = {0};
  char order[64];
  if (arguments != 4) return 2;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  port = atoi(words[1]), count = atoi(words[2]), path = words[3];
  viewers = calloc(count, sizeof *viewers);
  epoll = epoll_create1(0);
  connect_all(AT_ONCE);
  answer();
  struct epoll_event input_event = {.events = EPOLLIN, .data.ptr = NULL};
  epoll_ctl(epoll, EPOLL_CTL_ADD, STDIN_FILENO, &input_event);
  for (;;) {
    for (has_order = 0; !has_order;) poll_events(-1);
    long read_bytes = read(STDIN_FILENO, order, sizeof order - 1);
    if (read_bytes <= 0) return 0;
    order[read_bytes] = 0;
    double end = now_ms() + PATIENCE_MS;
    if (!strncmp(order, "expect ", 7)) {
      long wanted = atol(order + 7) * count;
      while (messages < wanted && now_ms() < end) {
        require_all();
        poll_events(5);
      }
    } else { /* survive */
      while (lost < count && now_ms() < end) poll_events(5);
      slowest = reconnect_all(end);
    }
    answer();
  }
}
