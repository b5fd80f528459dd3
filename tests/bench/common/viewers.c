/* Makes the requests of many viewers of a published show, each on its own connection, with epoll. Prints the outcome.

   viewers PORT VIEWERS ARRIVAL_MS LENGTH_MS EVERY_MS PHASE_MS LATE_MS INDEX REQUESTS
   Viewers arrive evenly within ARRIVAL_MS. Each first makes the requests in the file REQUESTS, a "METHOD PATH" in each
   line, one after the other. After that it requests the path INDEX every EVERY_MS, and sends the ETag of the index that
   it has. An index is due PHASE_MS after each multiple of EVERY_MS since 1970; like the page, a viewer requests it 500
   to 2500 ms later. */

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { HEAD = 4096, MAX_REQUESTS = 512, SLOTS = 200000, AT_ONCE = 512, AFTER_MS = 500, SPREAD_MS = 2000 };

typedef struct {
  int fd, next, waiting, is_head, filled, in_body;
  long body;
  double due, asked;
  char head[HEAD], tag[64];
} Viewer;

static Viewer *viewers;
static char *requests[MAX_REQUESTS];
static int request_count, epoll, port;
static double every, phase;
static const char *index_path;
static long answers, errors, late, indexes, unchanged, bytes, slots[SLOTS]; /* slots: answers by tenths of a ms */
static double late_ms, slowest;

static double clock_ms(clockid_t id) {
  struct timespec now;
  clock_gettime(id, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static double now_ms(void) { return clock_ms(CLOCK_MONOTONIC); }

static void connect_viewer(Viewer *viewer) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = viewer};
  int yes = 1;
  viewer->fd = socket(AF_INET, SOCK_STREAM, 0);
  if (viewer->fd < 0 || connect(viewer->fd, (struct sockaddr *)&to, sizeof to)) {
    perror("viewers: no connection");
    exit(1);
  }
  setsockopt(viewer->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  fcntl(viewer->fd, F_SETFL, O_NONBLOCK);
  epoll_ctl(epoll, EPOLL_CTL_ADD, viewer->fd, &event);
}

static void disconnect(Viewer *viewer) {
  close(viewer->fd);
  viewer->fd = -1;
}

static void send_request(Viewer *viewer) {
  char text[1024], known[96] = "";
  int at_index = viewer->next == request_count;
  const char *what = requests[viewer->next];
  if (at_index && viewer->tag[0]) snprintf(known, sizeof known, "If-None-Match: %s\r\n", viewer->tag);
  int length = snprintf(
      text, sizeof text,
      "%s%s HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n"
      "Accept-Language: en-GB,en;q=0.9\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36\r\n%s\r\n",
      at_index ? "GET " : "", at_index ? index_path : what, known);
  viewer->is_head = !at_index && !strncmp(what, "HEAD", 4);
  viewer->asked = now_ms();
  viewer->waiting = 1;
  viewer->filled = viewer->in_body = 0;
  if (viewer->fd < 0) connect_viewer(viewer);
  if (send(viewer->fd, text, length, MSG_NOSIGNAL) == length) return;
  disconnect(viewer); /* the host has closed an idle connection: like a browser, try again */
  connect_viewer(viewer);
  if (send(viewer->fd, text, length, MSG_NOSIGNAL) != length) errors++;
}

/* When to request the next index: soon after it is due, at a random moment. */
static double next_due(void) {
  double world = clock_ms(CLOCK_REALTIME), passed = world - phase;
  double due = every - (passed - every * (long)(passed / every));
  return now_ms() + due + AFTER_MS + SPREAD_MS * drand48();
}

static void finish_answer(Viewer *viewer) {
  double took = now_ms() - viewer->asked;
  int slot = took * 10 < SLOTS ? (int)(took * 10) : SLOTS - 1;
  slots[slot]++;
  answers++;
  late += took > late_ms;
  if (took > slowest) slowest = took;
  viewer->waiting = 0;
  if (viewer->next < request_count) viewer->next++;
  else indexes++;
  viewer->due = viewer->next < request_count ? 0 : next_due();
}

static long number_of(const char *head, const char *name) {
  const char *found = strcasestr(head, name);
  return found ? atol(found + strlen(name)) : 0;
}

/* Adds received bytes to the head; returns how many bytes of `got` belong to it, or -1 if it is still incomplete. */
static long take_head(Viewer *viewer, const char *got, long count) {
  int before = viewer->filled;
  long room = HEAD - 1 - before, taken = count < room ? count : room;
  memcpy(viewer->head + before, got, taken);
  viewer->head[viewer->filled += taken] = 0;
  char *end = strstr(viewer->head, "\r\n\r\n");
  if (!end) return -1;
  end[2] = 0;
  int status = atoi(viewer->head + 9);
  errors += status != 200 && status != 304;
  unchanged += status == 304;
  viewer->body = viewer->is_head || status == 304 ? 0 : number_of(viewer->head, "\r\nContent-Length:");
  char *tag = strcasestr(viewer->head, "\r\nETag: ");
  if (tag && viewer->next == request_count) sscanf(tag + 8, "%63[^\r]", viewer->tag);
  viewer->in_body = 1;
  return end + 4 - viewer->head - before;
}

static void read_answers(Viewer *viewer) {
  char got[65536];
  for (;;) {
    long count = recv(viewer->fd, got, sizeof got, 0), used = 0;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) {
      errors += viewer->waiting;
      disconnect(viewer);
      if (viewer->waiting) send_request(viewer);
      return;
    }
    bytes += count;
    if (!viewer->in_body && (used = take_head(viewer, got, count)) < 0) continue;
    viewer->body -= count - used;
    if (viewer->body <= 0 && viewer->waiting) finish_answer(viewer);
  }
}

static double percentile(double share) {
  long left = (long)(answers * share);
  for (int slot = 0; slot < SLOTS; slot++)
    if ((left -= slots[slot]) < 0) return slot / 10.0;
  return slowest;
}

static void read_requests(const char *name) {
  char text[900];
  FILE *file = fopen(name, "r");
  while (file && request_count < MAX_REQUESTS - 1 && fgets(text, sizeof text, file)) {
    text[strcspn(text, "\n")] = 0;
    if (text[0]) requests[request_count++] = strdup(text);
  }
  if (file) fclose(file);
}

int main(int count, char **words) {
  if (count != 10) return 2;
  port = atoi(words[1]);
  int number = atoi(words[2]);
  double arrival = atof(words[3]), length = atof(words[4]);
  every = atof(words[5]), phase = atof(words[6]), late_ms = atof(words[7]), index_path = words[8];
  read_requests(words[9]);
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  viewers = calloc(number, sizeof *viewers);
  epoll = epoll_create1(0);
  double begun = now_ms();
  for (int at = 0; at < number; at++) viewers[at].fd = -1, viewers[at].due = begun + arrival * at / number;
  struct epoll_event events[AT_ONCE];
  for (double now = begun, looked = 0; now < begun + length; now = now_ms()) {
    int ready = epoll_wait(epoll, events, AT_ONCE, 1);
    for (int at = 0; at < ready; at++) read_answers(events[at].data.ptr);
    if (now - looked < 2) continue;
    looked = now;
    for (int at = 0; at < number; at++)
      if (!viewers[at].waiting && viewers[at].due <= now) send_request(&viewers[at]);
  }
  long waiting = 0;
  for (int at = 0; at < number; at++) waiting += viewers[at].waiting && now_ms() - viewers[at].asked > late_ms;
  printf("{\"answers\": %ld, \"errors\": %ld, \"late\": %ld, \"indexes\": %ld, \"unchanged\": %ld, \"bytes\": %ld, "
         "\"p50_ms\": %.1f, \"p99_ms\": %.1f, \"slowest_ms\": %.1f, \"client_s\": %.2f}\n",
         answers, errors, late + waiting, indexes, unchanged, bytes, percentile(0.5), percentile(0.99), slowest,
         clock_ms(CLOCK_PROCESS_CPUTIME_ID) / 1e3);
  return 0;
}
